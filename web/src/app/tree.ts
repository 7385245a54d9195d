// SPDX-License-Identifier: Apache-2.0

// The directories of a host as a tree: each line has its counts and captures by year, and opens what is below it.

import { button, element } from "../dom";
import { sparkCell } from "../table";
import { formatNumber, shortened } from "../words";
import { addressOf } from "./address";
import { ask, type Years } from "./api";
import type { Context } from "./frame";
import { sparkOf } from "./parts";

export interface Folder {
  path: string;
  url: string;
  nodes: number;
  pages: number;
  captures: number;
  years: Years;
}

const SHOWN = 25; // lines below one directory, before the reader asks for more

export const foldersBelow = (context: Context, host: string, path: string) =>
  ask<{ folders: Folder[] }>(`${context.archive}/urls`, { url: `${host}${path}*`, group: "folder" }).then(({ folders }) => folders.sort((a, b) => b.captures - a.captures || b.nodes - a.nodes));

class Tree {
  readonly body = element("tbody");

  constructor(private readonly context: Context, private readonly host: string) {}

  // Lines of what is directly below `path`, put after the line of `path` itself.
  fill(after: HTMLElement | null, path: string, folders: Folder[], level: number): HTMLElement[] {
    const lines = folders.slice(0, SHOWN).map((folder) => this.line(folder, path, level));
    if (folders.length > SHOWN) lines.push(this.rest(path, folders.slice(SHOWN), level));
    if (after) after.after(...lines);
    else this.body.append(...lines);
    return lines;
  }

  private rest(path: string, folders: Folder[], level: number): HTMLElement {
    const line = element("tr", {}, element("td", { colspan: "5" }, button(`Show ${formatNumber(folders.length)} more`, "Show all of this directory", () => {
      this.fill(line, path, folders, level);
      line.remove();
    })));
    return line;
  }

  private line(folder: Folder, path: string, level: number): HTMLElement {
    const { context } = this;
    const span = context.span ?? ["", ""];
    const isDirectory = folder.path.endsWith("/") && folder.path !== path;
    const name = folder.path.slice(path.length) || "(the directory itself)";
    const to = isDirectory ? addressOf(context.archive, "host", { host: this.host, path: folder.path, during: context.during }) : addressOf(context.archive, "page", { url: folder.url, during: context.during });
    const title = element("td", { class: "branch" }, isDirectory ? this.opener(folder, level) : element("span", { class: "leaf" }), element("a", { href: to }, element("bdi", {}, shortened(name, 90))));
    title.style.paddingLeft = `${0.4 + level * 1.3}rem`;
    const number = (count: number) => element("td", { class: "number" }, formatNumber(count));
    return element("tr", {}, title, number(folder.nodes), number(folder.pages), number(folder.captures), element("td", {}, sparkCell(sparkOf(folder.years, span[0], span[1]))));
  }

  private opener(folder: Folder, level: number): HTMLElement {
    let lines: HTMLElement[] | null = null;
    const made = button("\u25b8", `Open ${shortened(folder.path, 60)}`, () => void turn());
    made.className = "opener";
    made.setAttribute("aria-expanded", "false");
    made.setAttribute("aria-label", `What is below ${shortened(folder.path, 80)}`);
    const turn = async () => {
      const isOpen = made.getAttribute("aria-expanded") === "true";
      made.setAttribute("aria-expanded", String(!isOpen));
      made.textContent = isOpen ? "\u25b8" : "\u25be";
      if (isOpen) {
        lines?.forEach((line) => this.close(line));
        lines = null;
      } else {
        lines = this.fill(made.closest("tr"), folder.path, await foldersBelow(this.context, this.host, folder.path), level + 1);
      }
    };
    return made;
  }

  // A line and all that was opened below it.
  private close(line: HTMLElement): void {
    const opener = line.querySelector<HTMLButtonElement>('.opener[aria-expanded="true"]');
    opener?.click();
    line.remove();
  }
}

export function treeView(context: Context, host: string, path: string, folders: Folder[]): HTMLElement {
  const tree = new Tree(context, host);
  tree.fill(null, path, folders, 0);
  const heads = ["directory or file", "URLs", "pages", "captures", "captures by year"].map((name, i) => element("th", { scope: "col", class: i > 0 && i < 4 ? "head number" : "head" }, name));
  const label = `Directories of ${shortened(host + path, 100)}`;
  return element("div", { class: "scroller", tabindex: "0", role: "region", "aria-label": label }, element("table", { class: "tree" }, element("thead", {}, element("tr", {}, ...heads)), tree.body));
}
