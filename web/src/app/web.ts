// SPDX-License-Identifier: Apache-2.0

// The network of hosts or domains at a date; a slider lets links fade in and out.

import { element } from "../dom";
import { addressOf, addressWith, go } from "./address";
import { ask, type Network } from "./api";
import { day, lastDay, plural, retitle, type Context, type ViewParts } from "./frame";
import { graph, groupsByName } from "./graph";
import { chooser, count, link, table, tablePart } from "./parts";
import { dateSlider } from "./slider";

const LIMITS = ["100", "300", "1000", "2000"];

function nodesTable(found: Network, level: string) {
  const into = new Array<number>(found.nodes.length).fill(0);
  const out = new Array<number>(found.nodes.length).fill(0);
  for (const [from, to, links] of found.links) [out[from], into[to]] = [out[from] + links, into[to] + links];
  return table(level === "host" ? "Hosts" : "Domains", [level === "host" ? link("host") : { name: "domain", kind: "text" as const }, count("PageRank"), count("pages"), count("links to it"), count("links from it")],
    found.nodes.map((node, i) => [node.name, node.score ?? null, node.pages ?? null, into[i], out[i]]));
}

function sentenceOf(found: Network, level: string): string {
  const shown = `${plural(found.nodes.length, level)} and ${plural(found.links.length, "connection")} between them at ${day(found.at)}`;
  if (found.nodes.length === 0) return `Nothing was known at ${day(found.at)}: choose a later date.`;
  if (found.total_nodes <= found.nodes.length) return `${shown}.`;
  return `${shown}: those with the highest PageRank or the most links, of ${found.total_nodes.toLocaleString("en-US")} with ${found.total_links.toLocaleString("en-US")} connections.`;
}

const titleOf = (found: Network) => `The web at ${day(found.at)}`;
const groupsOf = (found: Network) => groupsByName(found.nodes.map(({ domain }) => domain));

export async function web(context: Context): Promise<ViewParts> {
  const { archive, place } = context;
  const level = place.words.get("level") === "domain" ? "domain" : "host";
  const limit = place.words.get("limit") ?? "300";
  const at = place.words.get("at") || lastDay(context);
  const found = await ask<Network>(`${archive}/network`, { at, level, limit });
  const drawn = graph(`Network of ${level}s`, (name) => level === "host" && go(addressOf(archive, "host", { host: name, during: context.during })));
  const below = element("div", {}, tablePart(context, nodesTable(found, level)));
  const status = element("p", { class: "unseen", role: "status" });
  drawn.show(found, groupsOf(found));
  let moves = 0;
  // The slider changes the picture in place, so that nodes stay where they are and only what changed fades.
  const move = (date: string) => {
    history.replaceState(null, "", new URL(addressWith({ at: date }), document.baseURI));
    const number = (moves += 1);
    return ask<Network>(`${archive}/network`, { at: date, level, limit }).then((next) => {
      if (number !== moves) return; // a later date was chosen
      drawn.show(next, groupsOf(next));
      retitle(titleOf(next), sentenceOf(next, level));
      status.textContent = sentenceOf(next, level);
      below.replaceChildren(tablePart(context, nodesTable(next, level)));
    }).catch((error: Error) => retitle(`The web at ${date}`, error.message));
  };
  return {
    title: titleOf(found),
    sentence: sentenceOf(found, level),
    parts: [
      element("section", {}, element("h2", {}, "Network"), element("div", { class: "tools" }, chooser("Level", ["host", "domain"], level, "level"), chooser("At most", LIMITS, limit, "limit")),
        context.span ? dateSlider(context.span, at, move, { plays: true }) : null, status, drawn.place,
        element("p", { class: "caption" }, `The larger a node, the higher its PageRank.${level === "host" ? " Colours are those of the commonest domains." : ""} Links inside a ${level} are not drawn.`)), below],
    away: { command: `webstrata export ${archive}.ws@${day(found.at)} --level ${level} --as graphml > web.graphml`, python: `webstrata.open("${archive}.ws").snapshot(at="${day(found.at)}", level="${level}").pagerank().top(${limit})`,
      route: `${archive}/network`, words: { at, level, limit }, table: nodesTable(found, level), picture: drawn.picture },
  };
}
