// SPDX-License-Identifier: Apache-2.0

// Every view has an address: a/ARCHIVE/VIEW?words, below the base path. Links inside the page change it without loading again.

import { query, type Words } from "./api";

export interface Place {
  archive: string; // empty: the first
  view: string; // empty: the overview
  words: URLSearchParams;
}

export function placeNow(): Place {
  const base = new URL(document.baseURI).pathname;
  const parts = location.pathname.slice(base.length).split("/").map(decoded);
  const isView = parts[0] === "a";
  return { archive: isView ? parts[1] ?? "" : "", view: isView ? parts[2] ?? "" : "", words: new URLSearchParams(location.search) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function addressOf(archive: string, view: string, words: Words = {}): string {
  return `a/${encodeURIComponent(archive)}/${view}${query(words)}`;
}

// The same view with some words changed; the period stays.
export function addressWith(changes: Words): string {
  const { archive, view, words } = placeNow();
  const all: Words = Object.fromEntries(words);
  return addressOf(archive, view, { ...all, ...changes });
}

let arrived: () => void = () => {};

export function go(address: string, replaces = false): void {
  history[replaces ? "replaceState" : "pushState"](null, "", new URL(address, document.baseURI));
  arrived();
}

export function onArrival(show: () => void): void {
  arrived = show;
  window.addEventListener("popstate", show);
  document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest?.("a[href]");
    if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented || event.button !== 0) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || link.target || link.hasAttribute("download")) return;
    const to = new URL(link.href);
    if (to.origin !== location.origin || !to.pathname.startsWith(`${new URL(document.baseURI).pathname}a/`)) return;
    event.preventDefault();
    go(link.href);
  });
}
