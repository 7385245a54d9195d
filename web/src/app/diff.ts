// SPDX-License-Identifier: Apache-2.0

// What changed between two dates, by host, by directory below a host, and page by page: appeared, vanished, kept, and not seen since.

import type { Column, PlotPart, TablePart } from "../data";
import { button, element } from "../dom";
import { plotSection } from "../plot";
import { tableView } from "../table";
import { shortened } from "../words";
import { addressOf, addressWith, go } from "./address";
import { ask } from "./api";
import { firstDay, inPython, lastDay, plural, quoted, type Context, type ViewParts } from "./frame";
import { count, link, table, tablePart, text } from "./parts";

const CHANGES = ["kept", "appeared", "vanished", "not_seen"] as const;
type Change = (typeof CHANGES)[number];
const NAMES: Record<Change, string> = { kept: "kept", appeared: "appeared", vanished: "vanished", not_seen: "not seen since" };
const COLOURS = new Map([["kept", 0], ["appeared", 2], ["vanished", 7], ["not seen since", 5]]);
type Counts = Record<`pages_${Change}`, number> & Partial<Record<`links_${Change}`, number>>;
interface Answer {
  from: string;
  to: string;
  total?: Counts; // these two without folders
  hosts?: ({ host: string } & Counts)[];
  folders?: ({ path: string; url: string } & Counts)[];
  changes?: { change: Change; page?: string }[];
  left_out?: number;
}

const DRAWN = 15;
const LISTED = 5000;

type Row = { name: string; address: string } & Counts;

const sizeOf = (one: Counts) => CHANGES.reduce((sum, change) => sum + one[`pages_${change}`], 0);

function picture(what: string, rows: Row[]): PlotPart {
  const largest = [...rows].sort((a, b) => sizeOf(b) - sizeOf(a)).slice(0, DRAWN);
  return { part: "plot", title: `Pages by ${what}`, caption: rows.length > DRAWN ? `The ${DRAWN} largest of ${rows.length.toLocaleString("en-US")}.` : "", kind: "bar", stacked: true,
    x: { label: what, scale: "linear", downward: false }, y: { label: "pages", scale: "linear", downward: false }, categories: largest.map(({ name }) => name),
    series: CHANGES.map((change) => ({ name: NAMES[change], x: largest.map((_, i) => i), y: largest.map((one) => one[`pages_${change}`]) })) };
}

function countsTable(what: string, rows: Row[]): TablePart {
  const kinds = (["pages", "links"] as const).flatMap((of) => CHANGES.filter((change) => of === "pages" || rows.some((row) => row[`links_${change}`] !== undefined)).map((change) => [of, change] as const));
  return table(what === "host" ? "Hosts" : "Directories", [link(what), ...kinds.map(([of, change]) => count(`${of} ${NAMES[change]}`))],
    [...rows].sort((a, b) => sizeOf(b) - sizeOf(a)).map((row) => [row.name, ...kinds.map(([of, change]) => row[`${of}_${change}`] ?? null)]));
}

function countsSection(part: TablePart, rows: Row[]): HTMLElement {
  const addresses = new Map(rows.map(({ name, address }) => [name, address]));
  const inside = (cell: string, column: Column) => (column.kind === "link" ? addresses.get(cell) ?? null : null);
  return element("section", {}, element("h2", {}, part.title), tableView(part, true, inside));
}

function form(from: string, to: string): HTMLElement {
  const input = (label: string, value: string) => element("input", { type: "text", value, "aria-label": label, placeholder: "2021-08", size: "12" });
  const [first, last] = [input("From date", from), input("To date", to)];
  const made = element("form", { class: "tools" }, element("span", { class: "count" }, "From"), first, element("span", { class: "count" }, "to"), last, button("Compare", "Compare the two dates", () => made.requestSubmit()));
  made.addEventListener("submit", (event) => {
    event.preventDefault();
    go(addressWith({ from: first.value.trim(), to: last.value.trim() }));
  });
  return made;
}

// "example.org/doc/*": the way up, each part a link.
function crumbs(context: Context, from: string, to: string, below: string): HTMLElement {
  const parts = below.replace(/\*$/, "").split("/").filter(Boolean);
  const address = (depth: number) => addressOf(context.archive, "diff", { from, to, url: depth < 0 ? "" : `${parts.slice(0, depth + 1).join("/")}/*`, during: context.during });
  const names = parts.map((name, depth) => (depth + 1 === parts.length ? element("bdi", {}, shortened(name, 60)) : element("a", { href: address(depth) }, element("bdi", {}, shortened(name, 60)))));
  return element("p", { class: "crumbs" }, element("a", { href: address(-1) }, "All hosts"), ...names.flatMap((one) => [" / ", one]));
}

function changesTable(found: Answer): TablePart {
  return table("Pages", [text("change"), link("page")], (found.changes ?? []).map((one) => [NAMES[one.change], one.page ?? ""]));
}

function summed(rows: Counts[]): Counts {
  const sum = { pages_kept: 0, pages_appeared: 0, pages_vanished: 0, pages_not_seen: 0 };
  for (const row of rows) for (const change of CHANGES) sum[`pages_${change}`] += row[`pages_${change}`];
  return sum;
}

function sentence(total: Counts, below: string, from: string): string {
  const there = total.pages_kept + total.pages_vanished + total.pages_not_seen;
  const number = (change: Change) => total[`pages_${change}`].toLocaleString("en-US");
  return `Of ${plural(there, "page")}${below ? ` of ${below}` : ""} known at ${from}, ${number("kept")} were seen again, ${number("vanished")} vanished and ${number("not_seen")} were not seen since; ${number("appeared")} appeared.`;
}

export async function diff(context: Context): Promise<ViewParts> {
  const { archive, place, during } = context;
  const from = place.words.get("from") || firstDay(context);
  const to = place.words.get("to") || lastDay(context);
  const below = place.words.get("url") ?? "";
  const [found, pages] = await Promise.all([
    ask<Answer>(`${archive}/diff`, { from, to, url: below, group: below ? "folder" : undefined }),
    below ? ask<Answer>(`${archive}/diff`, { from, to, url: below, list: "pages", limit: LISTED }) : null]);
  const deeper = (url: string) => addressOf(archive, "diff", { from, to, url: `${url.replace(/^https?:\/\//, "")}*`, during });
  const rows: Row[] = found.folders
    ? found.folders.map((one) => ({ ...one, name: one.path, address: one.path.endsWith("/") && !below.endsWith(`${one.path}*`) ? deeper(one.url) : addressOf(archive, "page", { url: one.url, during }) }))
    : (found.hosts ?? []).map((one) => ({ ...one, name: one.host, address: deeper(`${one.host}/`) }));
  const what = below ? "directory" : "host";
  const total = found.total ?? summed(rows);
  const [plot, counts] = [picture(what, rows), countsTable(what, rows)];
  const listed = pages ? changesTable(pages) : null;
  const caption = pages?.left_out ? `The first ${LISTED.toLocaleString("en-US")}; ${pages.left_out.toLocaleString("en-US")} more are not listed. Kept pages are only counted.` : "Kept pages are only counted.";
  return {
    title: below ? `${below} from ${from} to ${to}` : `From ${from} to ${to}`,
    sentence: sentence(total, below, from),
    parts: [form(from, to), below ? crumbs(context, from, to, below) : null,
      rows.length > 0 ? plotSection(plot, COLOURS) : element("p", { class: "notice" }, "No page was known at either date."),
      rows.length > 0 ? countsSection(counts, rows) : null, listed ? tablePart(context, listed, caption) : null],
    away: { command: `webstrata diff ${archive}.ws ${quoted(from)} ${quoted(to)}`, python: `webstrata.open("${archive}.ws").diff(${inPython(from)}, ${inPython(to)})`,
      route: `${archive}/diff`, words: { from, to, url: below, group: below ? "folder" : undefined }, table: counts, picture: null },
  };
}
