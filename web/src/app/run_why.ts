// SPDX-License-Identifier: Apache-2.0

// Why a run has a URL: the way to it from a seed, and every request for it.

import { element } from "../dom";
import { tableView } from "../table";
import { shortened, webAddress } from "../words";
import { addressOf } from "./address";
import { ask } from "./api";
import { inPython, plural, quoted, type Context, type ViewParts } from "./frame";
import { count, table, text } from "./parts";
import { momentOf } from "./run_status";

interface Why {
  url: string;
  state?: string;
  outcome?: string;
  status?: number;
  target?: string;
  evidence?: string;
  why?: string;
  path: string[];
  requests: { time: string; kind: string; why: string; score: number; outcome?: string; status?: number; evidence?: string; file?: string; offset?: number }[];
}

function sentence(found: Why): string {
  const outcome = found.outcome ? `${found.outcome}${found.evidence ? ` (${shortened(found.evidence, 200)})` : ""}` : found.state ?? "not decided";
  const reason = found.why ? ` ${found.why.charAt(0).toUpperCase()}${found.why.slice(1)}.` : "";
  return `This page is ${outcome}, after ${plural(found.requests.length, "request")}.${reason}`;
}

export async function whyView(context: Context, run: string, route: string, url: string): Promise<ViewParts> {
  const { archive } = context;
  const found = await ask<Why>(`${route}/why`, { url });
  const to = (page: string) => addressOf(archive, "runs", { run, url: page });
  const part = table("Requests", [text("time"), text("kind"), text("why"), count("score"), text("outcome"), count("status"), text("evidence"), text("stored in")],
    found.requests.map((one) => [momentOf(one.time), one.kind, one.why, one.score, one.outcome ?? null, one.status ?? null, one.evidence ?? null, one.file ? `${one.file} at ${one.offset}` : null]));
  const way = element("ol", { class: "way" }, ...found.path.map((page) => element("li", {}, element("a", { href: to(page) }, element("bdi", {}, shortened(page, 120))))), element("li", {}, element("bdi", {}, shortened(found.url, 120))));
  const address = webAddress(found.url);
  const target = found.target ? element("p", {}, "Moved to ", element("a", { href: to(found.target) }, element("bdi", {}, shortened(found.target, 120))), ".") : null;
  return {
    title: found.url,
    sentence: sentence(found),
    parts: [
      element("p", { class: "crumbs" }, element("a", { href: addressOf(archive, "runs") }, "All runs"), " / ", element("a", { href: addressOf(archive, "runs", { run }) }, shortened(run, 60)),
        " \u00b7 ", element("a", { href: addressOf(archive, "page", { url: found.url }) }, "Its history in the archive"),
        ...(address ? [" \u00b7 ", element("a", { href: address, target: "_blank", rel: "noopener noreferrer nofollow" }, "Open it on the web")] : [])), target,
      found.path.length > 0 ? element("section", {}, element("h2", {}, "The way to it"), way) : null,
      found.requests.length > 0 ? element("section", {}, element("h2", {}, part.title), tableView(part)) : null],
    away: { command: `curl ${quoted(new URL(`api/v1/${route}/why?url=${encodeURIComponent(url)}`, document.baseURI).href)}`,
      python: `webstrata.connect(${inPython(new URL(".", document.baseURI).href)}, ${inPython(archive)}).run(${inPython(run)}).why(${inPython(url)})`, route: `${route}/why`, words: { url }, table: part, picture: null },
  };
}
