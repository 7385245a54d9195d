// SPDX-License-Identifier: Apache-2.0

// One host: births and deaths of its links, its directories, and the hosts that it links to and from, year by year.

import type { PlotPart, TablePart } from "../data";
import { element } from "../dom";
import { pageColours } from "../looks";
import { figuresView } from "../parts";
import { plotSection } from "../plot";
import { shortened } from "../words";
import { addressOf } from "./address";
import { ask, type Stats, type Years } from "./api";
import { day, inPeriod, inPython, isInPeriod, plural, quoted, type Context, type ViewParts } from "./frame";
import { count, link, spark, sparkOf, table, tablePart, text } from "./parts";
import { periodsOf } from "./timeline";
import { foldersBelow, treeView, type Folder } from "./tree";
import { yearsMap } from "./years_map";

interface HostLink {
  name: string;
  links: number;
  first: string | null;
  last: string | null;
  years: Years;
}

const HOSTS_DRAWN = 15;

function births(stats: Stats, during: string): PlotPart {
  const found = stats.months && periodsOf(stats.months).length <= 24 ? stats.months : stats.years;
  const names = periodsOf(found).filter((name) => !during || isInPeriod(name, during));
  const series = (name: string, of: "births" | "deaths") => ({ name, x: names.map((_, i) => i), y: names.map((period) => found[period]?.[of] ?? 0) });
  return { part: "plot", title: "Links born and died", caption: "By the time of the capture that first has, or first lacks, the link.", kind: "bar", stacked: false,
    x: { label: "captured", scale: "linear", downward: false }, y: { label: "links", scale: "linear", downward: false }, categories: names,
    series: [series("born", "births"), series("died", "deaths")] };
}

function hostLinks(context: Context, title: string, none: string, found: HostLink[]): HTMLElement {
  if (found.length === 0) return element("section", {}, element("h2", {}, title), element("p", { class: "caption" }, none));
  const span = context.span ?? ["", ""];
  const rows = found.map((one) => [one.name, one.links, sparkOf(one.years, span[0], span[1]), day(one.first), day(one.last)]);
  const part = table(title, [link("host"), count("links"), spark("links by year"), text("first seen"), text("last seen")], rows);
  const to = (name: string) => addressOf(context.archive, "host", { host: name, during: context.during });
  const map = yearsMap(title, found.slice(0, HOSTS_DRAWN), context.span ?? ["", ""], to);
  return element("section", {}, element("h2", {}, title), map, tablePart(context, part, "", false));
}

// The way to a directory, each part a link.
function crumbs(context: Context, host: string, path: string): HTMLElement {
  const parts = path.split("/").filter(Boolean);
  const to = (depth: number) => addressOf(context.archive, "host", { host, path: depth === 0 ? "" : `/${parts.slice(0, depth).join("/")}/`, during: context.during });
  const links = [host, ...parts].map((name, depth) => (depth === parts.length ? element("bdi", {}, shortened(name, 60)) : element("a", { href: to(depth) }, element("bdi", {}, shortened(name, 60)))));
  return element("p", { class: "crumbs" }, ...links.flatMap((one, i) => (i > 0 ? [" / ", one] : [one])));
}

async function neighbours(context: Context, name: string, direction: "in" | "out"): Promise<HostLink[]> {
  const found = await ask<{ links: HostLink[] }>(`${context.archive}/links`, { url: `${name}/*`, level: "host", direction, during: context.during, limit: 10_000 });
  return found.links.filter((one) => one.name !== name);
}

function periodsTable(name: string, stats: Stats, during: string): TablePart {
  const periods = Object.entries(stats.months ?? stats.years).filter(([period]) => !during || isInPeriod(period, during));
  return table(name, [text("period"), count("captures"), count("new pages"), count("links born"), count("links died")],
    periods.map(([period, one]) => [period, one.captures, one.new_pages, one.births, one.deaths]));
}

function directories(context: Context, name: string, path: string, below: Folder[]): HTMLElement {
  return element("section", {}, element("h2", {}, "Directories"), path === "/" ? null : crumbs(context, name, path), treeView(context, name, path, below));
}

export async function host(context: Context): Promise<ViewParts> {
  const { archive, during, place } = context;
  const name = place.words.get("host") ?? "";
  const path = place.words.get("path") || "/";
  const all = `${name}/*`;
  const [stats, below, out, into] = await Promise.all([
    ask<Stats>(`${archive}/stats`, { url: all }), foldersBelow(context, name, path), neighbours(context, name, "out"), neighbours(context, name, "in")]);
  const plot = births(stats, during);
  const part = periodsTable(name, stats, during);
  const sum = (column: number) => part.rows.reduce((total, row) => total + Number(row[column]), 0);
  const figure = (label: string, value: number, note: string) => ({ label, value: value.toLocaleString("en-US"), note });
  const when = during ? inPeriod(during).trim() : "";
  return {
    title: name,
    sentence: stats.pages === 0 ? `No page of this host was captured; ${plural(into.length, "host links", "hosts link")} to it${inPeriod(during)}.`
      : `${plural(stats.pages, "page")} in ${plural(sum(1), "capture")}; it links to ${plural(out.length, "other host")}, and ${plural(into.length, "other host links", "other hosts link")} to it${inPeriod(during)}.`,
    parts: [
      figuresView({ part: "figures", figures: [figure("pages", stats.pages, "captured at some time"), figure("captures", sum(1), when), figure("links born", sum(3), when), figure("links died", sum(4), when)] }),
      stats.pages > 0 ? plotSection(plot, pageColours([plot])) : null, directories(context, name, path, below),
      hostLinks(context, "Hosts that it links to", "None is known.", out), hostLinks(context, "Hosts that link to it", "None is known.", into)],
    away: { command: `webstrata links ${archive}.ws ${quoted(all)}${during ? ` --during ${quoted(during)}` : ""} --history --report host.html`,
      python: `webstrata.open("${archive}.ws").history(${inPython(all)}${during ? `, during=${inPython(during)}` : ""})`, route: `${archive}/stats`, words: { url: all }, table: part, picture: null },
  };
}
