// SPDX-License-Identifier: Apache-2.0

// What goes with the bundle: the notices of the packages inside it, and a digest of its sources.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

const SOURCES = ["app.html", "notices.ts", "package-lock.json", "package.json", "tsconfig.json", "vite.app.config.ts", "vite.config.ts"];

// Every page carries the notice of each package that has code in it, equal licences once.
function notices(modules: string[]): string {
  const folders = modules.map((id) => /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1]);
  const texts = new Map<string, string[]>(); // licence → whose
  for (const folder of [...new Set(folders)].sort()) {
    if (!folder) continue;
    const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    if (!file) throw new Error(`${name} has no licence file`);
    const lines = readFileSync(join(folder, file), "utf8").replaceAll("\u00a9", "(c)").split(/\r?\n/).map((line) => line.trim());
    const owners = lines.filter((line) => /^copyright (\(c\) )?\d/i.test(line));
    const text = lines.filter((line) => !owners.includes(line)).join("\n").trim().replace(/\n{3,}/g, "\n\n");
    texts.set(text, [...(texts.get(text) ?? []), `${name} ${version}: ${owners.join("; ")}`]);
  }
  const all = [...texts].map(([text, packages]) => `${packages.join("\n")}\n\n${text}`).join("\n\n---\n\n");
  if (/[^\n -~]|\*\/|<\/|<!--/.test(all)) throw new Error("a licence cannot stand in a comment as it is");
  return `/*! Contains code of these packages.\n\n${all}\n*/\n`;
}

// tests/report/bundle_test.py computes the same: it finds a bundle that was not built again.
function digest(root: string): string {
  const hash = createHash("sha256");
  const below = ["src", "src/app"].flatMap((folder) => readdirSync(join(root, folder)).filter((name) => name.includes(".")).map((name) => `${folder}/${name}`));
  const files = [...SOURCES, ...below].sort();
  for (const name of files) hash.update(`${name}\n`).update(readFileSync(join(root, name)));
  return hash.digest("hex") + "\n";
}

export function withNotices(root: string): Plugin {
  return {
    name: "notices",
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk") continue;
        const used = Object.entries(chunk.modules).filter(([, module]) => module.renderedLength > 0);
        chunk.code = notices(used.map(([id]) => id)) + chunk.code;
      }
      this.emitFile({ type: "asset", fileName: "sources.sha256", source: digest(root) });
    },
  };
}
