// SPDX-License-Identifier: Apache-2.0

// One page: its state over time, its links as strata, who links to it, and its neighbours at a date.

import type { StrataPart, TablePart } from "../data";
import { button, element } from "../dom";
import { strataSection, strataTable } from "../strata";
import { formatNumber, shortened, webAddress } from "../words";
import { addressOf, addressWith, go } from "./address";
import { ask, type Network, type Page } from "./api";
import { band } from "./band";
import { boundsOf, day, inPeriod, inPython, lastDay, plural, quoted, type Context, type ViewParts } from "./frame";
import { graph, type Groups } from "./graph";
import { link, spark, table, tablePart, text } from "./parts";
import { dateSlider } from "./slider";

const BINS = 24; // of a small picture

type Answer = Omit<StrataPart, "part">;

// In how many of equal parts of the time each source linked here.
function presenceSpark(part: Answer, runs: number[]): string {
  const [start, end] = [part.times[0], part.times[part.times.length - 1]];
  const bin = (column: number) => (end > start ? Math.min(BINS - 1, Math.floor(((part.times[column] - start) / (end - start)) * BINS)) : 0);
  const bins = new Array<number>(BINS).fill(0);
  for (let i = 0; i + 1 < runs.length; i += 2) for (let at = bin(runs[i]); at <= bin(runs[i] + runs[i + 1] - 1); at += 1) bins[at] = 1;
  return bins.join(" ");
}

const dayOf = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);

// Whether a page is known to have linked here on a day: between two captures that have the link, or at one.
function isThere(part: Answer, runs: number[], day: string): boolean {
  for (let i = 0; i + 1 < runs.length; i += 2) {
    if (dayOf(part.times[runs[i]]) <= day && day <= dayOf(part.times[runs[i] + runs[i + 1] - 1])) return true;
  }
  return false;
}

function sources(part: Answer, day: string): TablePart {
  const kind = part.groupings.find(({ name }) => name === "kind");
  const rows = part.names.map((_, row) => row).filter((row) => !day || isThere(part, part.runs[row], day)).map((row) => {
    const runs = part.runs[row];
    const last = runs[runs.length - 2] + runs[runs.length - 1] - 1;
    return [part.names[row], presenceSpark(part, runs), dayOf(part.times[runs[0]]), dayOf(part.times[last]), kind ? kind.groups[kind.of[row]] : null, ...(part.notes ? [part.notes[row] || null] : [])];
  });
  const columns = [link("page"), spark("when"), text("first seen"), text("last seen"), text("kinds"), ...(part.notes ? [text("text")] : [])];
  return table("Who links here", columns, rows);
}

// The table of sources, with a slider that shows those of one day.
function sourcesView(context: Context, part: Answer): HTMLElement {
  const place = element("div");
  const status = element("p", { class: "caption", role: "status" });
  const span: [string, string] = [part.times[0], part.times[part.times.length - 1]].map((time) => new Date(time * 1000).toISOString()) as [string, string];
  function show(day: string): void {
    const found = sources(part, day);
    status.textContent = day ? `${plural(found.rows.length, "page")} of ${formatNumber(part.names.length)} linked here on ${day}.` : `${plural(part.names.length, "page")} linked here at some time.`;
    place.replaceChildren(tablePart(context, found, "", false));
  }
  show("");
  const slider = dateSlider(span, "", show, { more: button("All time", "Show all pages that ever linked here", () => show("")) });
  return element("section", {}, element("h2", {}, "Who links here"), slider, status, place);
}

const ROLES = ["this page", "links to it and back", "it links to", "links to it", "one step further"];
const ROLE_COLOURS = ["--ink", "--series-4", "--series-0", "--series-2", "--quiet"];

function roles(found: Network, url: string): Groups {
  const centre = found.nodes.findIndex(({ name }) => name === url);
  const [out, into] = [new Set<number>(), new Set<number>()];
  for (const [from, to] of found.links) {
    if (from === centre) out.add(to);
    if (to === centre) into.add(from);
  }
  const of = (index: number) => (index === centre ? 0 : out.has(index) && into.has(index) ? 1 : out.has(index) ? 2 : into.has(index) ? 3 : 4);
  const used = new Set<number>(found.nodes.map((_, index) => of(index)));
  const places = [...used].sort();
  return { names: ROLES.filter((_, role) => used.has(role)), colours: ROLE_COLOURS.filter((_, role) => used.has(role)), of: (index) => places.indexOf(of(index)) };
}

async function neighbours(context: Context, url: string, at: string): Promise<{ place: HTMLElement; picture: () => ReturnType<ReturnType<typeof graph>["picture"]> }> {
  const drawn = graph(`Pages that ${url} links to, and that link to it`, (name) => go(addressOf(context.archive, "page", { url: name, during: context.during })));
  const status = element("p", { class: "caption", role: "status" });
  const load = (date: string) =>
    ask<Network>(`${context.archive}/network`, { url, level: "page", depth: 1, at: date, limit: 200 })
      .then((found) => {
        status.textContent = `${plural(Math.max(0, found.nodes.length - 1), "neighbour")} and ${plural(found.links.length, "link")} at ${day(found.at)}${found.total_nodes > found.nodes.length ? `, of ${plural(found.total_nodes, "node")}` : ""}.`;
        drawn.show(found, roles(found, url));
      })
      .catch((error: Error) => (status.textContent = error.message));
  await load(at);
  const slider = context.span ? dateSlider(context.span, at, (date) => (history.replaceState(null, "", new URL(addressWith({ at: date }), document.baseURI)), void load(date))) : null;
  return { place: element("section", {}, element("h2", {}, "Neighbours"), slider, status, drawn.place), picture: drawn.picture };
}

// "Present since 2021-08-14, last seen 2023-06-10"
function stateOf(found: Page): string {
  if (!found.since) return "This URL is known only from links";
  const name = found.state.charAt(0).toUpperCase() + found.state.slice(1);
  return found.seen && day(found.seen) !== day(found.since) ? `${name} at every sighting from ${day(found.since)} to ${day(found.seen)}` : `${name} when last seen, on ${day(found.since)}`;
}

export async function page(context: Context): Promise<ViewParts> {
  const { archive, during, place } = context;
  const asked = place.words.get("url") ?? "";
  const found = await ask<Page>(`${archive}/page`, { url: asked });
  const url = found.url;
  const [captures, out, into, near] = await Promise.all([
    ask<{ captures: { time: string }[] }>(`${archive}/captures`, { url, limit: 20_000 }),
    ask<Answer>(`${archive}/strata`, { url, during }), ask<Answer>(`${archive}/strata`, { url, direction: "in", during }),
    neighbours(context, url, place.words.get("at") || lastDay(context))]);
  const open = (name: string) => go(addressOf(archive, "page", { url: name, during }));
  const address = webAddress(url);
  const span = context.span ?? [found.first ?? "", found.last ?? ""];
  const [from, to] = boundsOf(during);
  const inside = captures.captures.map(({ time }) => time).filter((time) => !during || (time >= from && time <= to));
  const part: StrataPart = { ...out, part: "strata" };
  return {
    title: url,
    sentence: `${stateOf(found)}; ${plural(found.captures, "capture")}, ${plural(found.links_out, "link")} from it and ${plural(found.links_in, "page")} that linked to it${inPeriod(during)}.`,
    parts: [
      address ? element("p", {}, element("a", { href: address, target: "_blank", rel: "noopener noreferrer nofollow" }, "Open it on the web"), " · ",
        element("a", { href: addressOf(archive, "host", { host: new URL(address).hostname, during }) }, shortened(new URL(address).hostname, 80)),
        ...(found.spellings ?? []).flatMap((one) => [" · also ", element("a", { href: addressOf(archive, "page", { url: one, during }) }, shortened(one, 80))])) : null,
      band(found, inside, span), strataSection(part, { open }),
      into.names.length > 0 ? strataSection({ ...into, part: "strata" }, { open }) : null,
      into.names.length > 0 ? sourcesView(context, into) : null, near.place],
    away: { command: `webstrata links ${archive}.ws ${quoted(url)} --history${during ? ` --during ${quoted(during)}` : ""} --report page.html`,
      python: `webstrata.open("${archive}.ws").strata(${inPython(url)}${during ? `, during=${inPython(during)}` : ""})`,
      route: `${archive}/strata`, words: { url, during }, table: { ...strataTable(part), title: url }, picture: null },
  };
}
