// SPDX-License-Identifier: Apache-2.0

// The page of `webstrata serve`: app.html, app.js and app.css beside the bundle of the reports.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { withNotices } from "./notices";
import { withoutInlineStyle } from "./vite.config";

const frame: Plugin = {
  name: "frame",
  generateBundle() {
    this.emitFile({ type: "asset", fileName: "app.html", source: readFileSync(new URL("app.html", import.meta.url), "utf8") });
  },
};

export default defineConfig({
  plugins: [withoutInlineStyle, withNotices(fileURLToPath(new URL(".", import.meta.url))), frame],
  esbuild: { legalComments: "none" },
  build: {
    target: "es2020",
    emptyOutDir: false,
    lib: { entry: "src/app/main.ts", formats: ["iife"], name: "webstrataPage", fileName: () => "app.js", cssFileName: "app" },
    reportCompressedSize: false,
  },
});
