// SPDX-License-Identifier: Apache-2.0

// The network of hosts or domains at a date; a slider lets links fade in and out.

import { element } from "../dom";
import { addressOf, addressWith, go } from "./address";
import { ask, type Network } from "./api";
import { day, plural, type Context, type ViewParts } from "./frame";
import { dateSlider, graph } from "./graph";
import { count, link, table, tablePart } from "./parts";

const LIMITS = ["100", "300", "1000", "2000"];

function nodesTable(found: Network, level: string) {
  const into = new Array<number>(found.nodes.length).fill(0);
  const out = new Array<number>(found.nodes.length).fill(0);
  for (const [from, to, links] of found.links) [out[from], into[to]] = [out[from] + links, into[to] + links];
  return table(level === "host" ? "Hosts" : "Domains", [level === "host" ? link("host") : { name: "domain", kind: "text" as const }, count("PageRank"), count("pages"), count("links to it"), count("links from it")],
    found.nodes.map((node, i) => [node.name, node.score ?? null, node.pages ?? null, into[i], out[i]]));
}

const sentenceOf = (found: Network, level: string) => `${plural(found.nodes.length, level)} with the highest PageRank${found.total_nodes > found.nodes.length ? `, of ${found.total_nodes.toLocaleString("en-US")},` : ""} and ${plural(found.links.length, "connection")} between them at ${day(found.at)}.${found.links.length === 0 && found.nodes.length > 1 ? " None of them links to another one: show more, or choose another date." : ""}`;

function select(label: string, values: string[], chosen: string, name: string): HTMLElement {
  const made = element("select", { "aria-label": label }, ...values.map((value) => element("option", value === chosen ? { selected: "" } : {}, value)));
  made.addEventListener("change", () => go(addressWith({ [name]: made.value })));
  return element("label", { class: "choice" }, `${label} `, made);
}

export async function web(context: Context): Promise<ViewParts> {
  const { archive, place } = context;
  const level = place.words.get("level") === "domain" ? "domain" : "host";
  const limit = place.words.get("limit") ?? "300";
  const at = place.words.get("at") || (context.span ? day(context.span[1]) : "");
  const found = await ask<Network>(`${archive}/network`, { at, level, limit });
  const drawn = graph(`Network of ${level}s`, (name) => level === "host" && go(addressOf(archive, "host", { host: name, during: context.during })));
  const below = element("div", {}, tablePart(context, nodesTable(found, level)));
  const status = element("p", { class: "caption", role: "status" });
  drawn.show(found);
  // The slider changes the picture in place, so that nodes stay where they are and only what changed fades.
  const move = (date: string) => {
    history.replaceState(null, "", new URL(addressWith({ at: date }), document.baseURI));
    ask<Network>(`${archive}/network`, { at: date, level, limit }).then((next) => {
      drawn.show(next);
      status.textContent = sentenceOf(next, level);
      below.replaceChildren(tablePart(context, nodesTable(next, level)));
    }).catch((error: Error) => (status.textContent = error.message));
  };
  return {
    title: `The web at ${day(found.at)}`,
    sentence: sentenceOf(found, level),
    parts: [
      element("section", {}, element("h2", {}, "Network"), element("div", { class: "tools" }, select("Level", ["host", "domain"], level, "level"), select("At most", LIMITS, limit, "limit")),
        context.span ? dateSlider(context.span, at, move) : null, status, drawn.place,
        element("p", { class: "caption" }, "The larger a node, the higher its PageRank. Links inside a node are not drawn.")), below],
    away: { command: `webstrata export ${archive}.ws@${day(found.at)} --level ${level} --as graphml > web.graphml`, python: `webstrata.open("${archive}.ws").snapshot(at="${day(found.at)}", level="${level}").pagerank().top(${limit})`,
      route: `${archive}/network`, words: { at, level, limit }, table: nodesTable(found, level), picture: drawn.picture },
  };
}
