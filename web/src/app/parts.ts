// SPDX-License-Identifier: Apache-2.0

// Small parts of views: tables with links inside the page, years as small bars, a list of choices.

import type { Cell, Column, TablePart } from "../data";
import { element } from "../dom";
import { heading } from "../parts";
import { tableView } from "../table";
import { addressOf, addressWith, go } from "./address";
import type { Years } from "./api";
import type { Context } from "./frame";

export function table(title: string, columns: Column[], rows: Cell[][]): TablePart {
  return { part: "table", title, caption: "", columns, rows };
}

export const text = (name: string): Column => ({ name, kind: "text" });
export const count = (name: string): Column => ({ name, kind: "number" });
export const link = (name: string): Column => ({ name, kind: "link" });
export const spark = (name: string): Column => ({ name, kind: "spark" });

// Columns called "host" lead to hosts, other links to pages.
export function tablePart(context: Context, part: TablePart, caption = "", withHeading = true): HTMLElement {
  const inside = (cell: string, column: Column) => {
    if (column.kind !== "link") return null;
    const words = { during: context.during };
    if (column.name === "host") return addressOf(context.archive, "host", { host: cell, ...words });
    return addressOf(context.archive, "page", { url: cell, ...words });
  };
  return element(withHeading ? "section" : "div", {}, withHeading ? heading(part.title) : null, caption ? element("p", { class: "caption" }, caption) : null, tableView(part, true, inside));
}

// Counts by year for a spark; the same years for every row.
export function sparkOf(years: Years, first: string, last: string): string {
  const [from, to] = [Number(first.slice(0, 4)), Number(last.slice(0, 4))];
  const values = [];
  for (let year = from; year <= to && values.length < 60; year += 1) values.push(years[String(year).padStart(4, "0")] ?? 0);
  return values.join(" ") || "0";
}

// A list of choices; the address remembers the chosen one under `name`.
export function chooser(label: string, values: string[], chosen: string, name: string): HTMLElement {
  const made = element("select", { "aria-label": label }, ...values.map((value) => element("option", value === chosen ? { selected: "" } : {}, value)));
  made.addEventListener("change", () => go(addressWith({ [name]: made.value })));
  return element("label", { class: "choice" }, `${label} `, made);
}
