// SPDX-License-Identifier: Apache-2.0

// Handing files to the reader.

import { element } from "./dom";

// "Links born and died" becomes links-born-and-died.
export function fileName(title: string, ending: string): string {
  const stem = title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 60);
  return `${stem || "report"}.${ending}`;
}

export function download(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const anchor = element("a", { href: address, download: name });
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

export function downloadText(name: string, type: string, text: string): void {
  download(name, new Blob([text], { type: `${type};charset=utf-8` }));
}
