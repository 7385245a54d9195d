// SPDX-License-Identifier: Apache-2.0

// One script and one style sheet, without names that change: the same sources give the same files everywhere.
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { withNotices } from "./notices";

// Plot puts a <style> into every picture, which the page's policy forbids; style.css says the same.
export const withoutInlineStyle: Plugin = {
  name: "plot-without-inline-style",
  transform(code, id) {
    if (!id.endsWith("/@observablehq/plot/src/plot.js")) return null;
    const styled = /svg\.append\("style"\)\.text\(\s*`[^`]*`\s*\)/;
    if (!styled.test(code)) throw new Error("Plot writes its style in another way now: look at plot.js");
    return { code: code.replace(styled, "svg"), map: null };
  },
};

export default defineConfig({
  plugins: [withoutInlineStyle, withNotices(fileURLToPath(new URL(".", import.meta.url)))],
  esbuild: { legalComments: "none" }, // notices.ts writes them,
  build: {
    target: "es2020",
    lib: { entry: "src/main.ts", formats: ["iife"], name: "webstrataReport", fileName: () => "report.js", cssFileName: "report" },
    reportCompressedSize: false,
  },
});
