// SPDX-License-Identifier: Apache-2.0

// What changed between two dates, by host, or by page below a host: appeared, vanished, kept, and not seen since.

import type { PlotPart } from "../data";
import { button, element } from "../dom";
import { pageColours } from "../looks";
import { plotSection } from "../plot";
import { addressOf, addressWith, go } from "./address";
import { ask } from "./api";
import { day, plural, quoted, type Context, type ViewParts } from "./frame";
import { count, link, table, tablePart, text } from "./parts";

type Kind = "kept" | "appeared" | "vanished" | "not_seen";
const KINDS: Kind[] = ["kept", "appeared", "vanished", "not_seen"];
type HostCounts = { host?: string } & Record<`${"pages" | "links"}_${Kind}`, number>;
interface Answer {
  from: string;
  to: string;
  total: HostCounts;
  hosts: HostCounts[];
  changes?: { change: string; page?: string; source?: string; target?: string }[];
}

const HOSTS_DRAWN = 15;

function picture(hosts: HostCounts[]): PlotPart {
  const size = (one: HostCounts) => KINDS.reduce((sum, kind) => sum + one[`pages_${kind}`], 0);
  const largest = [...hosts].sort((a, b) => size(b) - size(a)).slice(0, HOSTS_DRAWN);
  return { part: "plot", title: "Pages by host", caption: hosts.length > HOSTS_DRAWN ? `The ${HOSTS_DRAWN} largest of ${hosts.length} hosts.` : "", kind: "bar", stacked: true,
    x: { label: "host", scale: "linear", downward: false }, y: { label: "pages", scale: "linear", downward: false }, categories: largest.map((one) => one.host ?? ""),
    series: KINDS.map((kind) => ({ name: kind.replace("_", " "), x: largest.map((_, i) => i), y: largest.map((one) => one[`pages_${kind}`]) })) };
}

function form(from: string, to: string): HTMLElement {
  const input = (label: string, value: string) => element("input", { type: "text", value, "aria-label": label, placeholder: "2021-08", size: "12" });
  const [first, last] = [input("From date", from), input("To date", to)];
  const made = element("form", { class: "tools" }, "From", first, "to", last, button("Compare", "Compare the two dates", () => made.requestSubmit()));
  made.addEventListener("submit", (event) => {
    event.preventDefault();
    go(addressWith({ from: first.value.trim(), to: last.value.trim() }));
  });
  return made;
}

export async function diff(context: Context): Promise<ViewParts> {
  const { archive, place } = context;
  const span = context.span ?? ["1990-01-01", "2030-01-01"];
  const from = place.words.get("from") || day(span[0]);
  const to = place.words.get("to") || day(span[1]);
  const below = place.words.get("url") ?? "";
  const found = await ask<Answer>(`${archive}/diff`, { from, to, url: below, list: below ? "pages" : undefined, limit: below ? 5000 : undefined });
  const total = found.total;
  const there = total.pages_kept + total.pages_vanished + total.pages_not_seen;
  const hosts = table("Hosts", [link("host"), ...(["pages", "links"] as const).flatMap((what) => KINDS.map((kind) => count(`${what} ${kind.replace("_", " ")}`)))],
    found.hosts.map((one) => [one.host ?? "", ...(["pages", "links"] as const).flatMap((what) => KINDS.map((kind) => one[`${what}_${kind}`]))]));
  const changes = found.changes ? table("Pages", [text("change"), link("page")], found.changes.map((one) => [one.change.replace("_", " "), one.page ?? one.source ?? ""])) : null;
  const plot = picture(found.hosts);
  const deeper = found.hosts.length > 0 && !below ? element("p", { class: "caption" }, "Page by page: ", ...found.hosts.slice(0, 12).flatMap((one, i) => [i > 0 ? " · " : "",
    element("a", { href: addressOf(archive, "diff", { from, to, url: `${one.host}/*`, during: context.during }) }, one.host ?? "")])) : null;
  return {
    title: below ? `${below} from ${from} to ${to}` : `From ${from} to ${to}`,
    sentence: `Of ${plural(there, "page")} there at the first date, ${total.pages_kept.toLocaleString("en-US")} were seen again, ${total.pages_vanished.toLocaleString("en-US")} vanished and ${total.pages_not_seen.toLocaleString("en-US")} were not seen since; ${total.pages_appeared.toLocaleString("en-US")} appeared.`,
    parts: [form(from, to), plotSection(plot, pageColours([plot])), deeper, changes ? tablePart(context, changes) : null, tablePart(context, hosts)],
    away: { command: `webstrata diff ${archive}.ws ${quoted(from)} ${quoted(to)}`, python: `webstrata.open("${archive}.ws").diff("${from}", "${to}")`, route: `${archive}/diff`, words: { from, to, url: below }, table: changes ?? hosts, picture: null },
  };
}
