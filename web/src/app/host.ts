// SPDX-License-Identifier: Apache-2.0

// One host: births and deaths of its links, its directories, and the hosts that it links to and from, year by year.

import type { PlotPart } from "../data";
import { element } from "../dom";
import { pageColours } from "../looks";
import { figuresView } from "../parts";
import { plotSection } from "../plot";
import { tableView } from "../table";
import { shown } from "../words";
import { addressOf } from "./address";
import { ask, Refusal, type Stats, type Years } from "./api";
import { day, inPeriod, isInPeriod, notice, plural, quoted, type Context, type ViewParts } from "./frame";
import { count, link, spark, sparkOf, table, tablePart, text } from "./parts";
import { periodsOf } from "./timeline";

interface Folder {
  path: string;
  url: string;
  nodes: number;
  pages: number;
  captures: number;
  years: Years;
}
interface HostLink {
  name: string;
  links: number;
  first: string | null;
  last: string | null;
  years: Years;
}

function births(stats: Stats, during: string): PlotPart {
  const found = stats.months && Object.keys(stats.months).length <= 18 ? stats.months : stats.years;
  const names = periodsOf(found).filter((name) => !during || isInPeriod(name, during));
  const series = (name: string, of: "births" | "deaths") => ({ name, x: names.map((_, i) => i), y: names.map((period) => found[period]?.[of] ?? 0) });
  return { part: "plot", title: "Links born and died", caption: "By the time of the capture that first has, or first lacks, the link.", kind: "bar", stacked: false,
    x: { label: "captured", scale: "linear", downward: false }, y: { label: "links", scale: "linear", downward: false }, categories: names,
    series: [series("born", "births"), series("died", "deaths")] };
}

// What the server refuses for a large host, it says in a sentence.
function hostLinks(context: Context, title: string, found: HostLink[] | string): HTMLElement {
  if (typeof found === "string") return element("section", {}, element("h2", {}, title), notice(found));
  const span = context.span ?? ["", ""];
  const rows = found.map((one) => [one.name, one.links, sparkOf(one.years, span[0], span[1]), day(one.first), day(one.last)]);
  return tablePart(context, table(title, [link("host"), count("links"), spark("links by year"), text("first seen"), text("last seen")], rows));
}

function folders(context: Context, host: string, path: string, found: Folder[]): HTMLElement {
  const span = context.span ?? ["", ""];
  const part = table(`Directories of ${host}${path}`, [link("path"), count("URLs"), count("pages"), count("captures"), spark("captures by year")],
    found.map((one) => [one.path, one.nodes, one.pages, one.captures, sparkOf(one.years, span[0], span[1])]));
  const urls = new Map(found.map((one) => [one.path, one.url]));
  const inside = (cell: string) => (urls.has(cell) ? (cell.endsWith("/") && cell !== path
    ? addressOf(context.archive, "host", { host, path: cell, during: context.during }) : addressOf(context.archive, "page", { url: urls.get(cell)!, during: context.during })) : null);
  const up = path === "/" ? null : element("p", {}, element("a", { href: addressOf(context.archive, "host", { host, path: path.replace(/[^/]+\/$/, ""), during: context.during }) }, "One directory up"));
  return element("section", {}, element("h2", {}, shown(part.title)), up, tableView(part, true, inside));
}

async function neighbours(context: Context, name: string, direction: "in" | "out"): Promise<HostLink[] | string> {
  try {
    const found = await ask<{ links: HostLink[] }>(`${context.archive}/links`, { url: `${name}/*`, level: "host", direction, during: context.during });
    return found.links.filter((one) => one.name !== name).sort((a, b) => b.links - a.links);
  } catch (error) {
    return error instanceof Refusal ? error.message : String(error);
  }
}

// The directories are known even of a host that is too large for the rest.
function tooLarge(context: Context, name: string, path: string, refusal: string, below: Folder[]): ViewParts {
  const part = table(name, [text("path"), count("URLs"), count("pages"), count("captures")], below.map((one) => [one.path, one.nodes, one.pages, one.captures]));
  const sum = (of: "pages" | "captures") => below.reduce((total, one) => total + one[of], 0);
  return {
    title: name, sentence: `${plural(sum("pages"), "page")} in ${plural(sum("captures"), "capture")} below ${path}.`,
    parts: [notice(refusal), folders(context, name, path, below)],
    away: { command: `webstrata links ${context.archive}.ws ${quoted(`${name}/*`)} --report host.html`, python: `webstrata.open("${context.archive}.ws").urls(host="${name}", pages=True)`,
      route: `${context.archive}/urls`, words: { url: `${name}${path}*`, group: "folder" }, table: part, picture: null },
  };
}

export async function host(context: Context): Promise<ViewParts> {
  const { archive, during, place } = context;
  const name = place.words.get("host") ?? "";
  const path = place.words.get("path") ?? "/";
  const all = `${name}/*`;
  const [stats, below, out, into] = await Promise.all([
    ask<Stats>(`${archive}/stats`, { url: all }).catch((error: Error) => error.message), ask<{ folders: Folder[] }>(`${archive}/urls`, { url: `${name}${path}*`, group: "folder" }),
    neighbours(context, name, "out"), neighbours(context, name, "in")]);
  if (typeof stats === "string") return tooLarge(context, name, path, stats, below.folders);
  const plot = births(stats, during);
  const both = typeof out !== "string" && typeof into !== "string" ? `; it links to ${plural(out.length, "other host")}, and ${plural(into.length, "other host links", "other hosts link")} to it` : "";
  const part = table(name, [text("period"), count("captures"), count("new pages"), count("links born"), count("links died")],
    Object.entries(stats.months ?? stats.years).map(([period, one]) => [period, one.captures, one.new_pages, one.births, one.deaths]));
  return {
    title: name,
    sentence: `${plural(stats.pages, "page")} in ${plural(stats.captures, "capture")}${both}${both ? inPeriod(during) : ""}.`,
    parts: [
      figuresView({ part: "figures", figures: [{ label: "pages", value: stats.pages.toLocaleString("en-US"), note: "" }, { label: "captures", value: stats.captures.toLocaleString("en-US"), note: "" },
        { label: "links born", value: stats.births.toLocaleString("en-US"), note: "" }, { label: "links died", value: stats.deaths.toLocaleString("en-US"), note: "" }] }),
      plotSection(plot, pageColours([plot])), folders(context, name, path, below.folders),
      hostLinks(context, "Hosts that it links to", out), hostLinks(context, "Hosts that link to it", into)],
    away: { command: `webstrata links ${archive}.ws ${quoted(all)} --report host.html`, python: `webstrata.open("${archive}.ws").urls(host="${name}", pages=True)`,
      route: `${archive}/stats`, words: { url: all }, table: part, picture: null },
  };
}
