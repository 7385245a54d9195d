// SPDX-License-Identifier: Apache-2.0

// The archive as a whole: counts over time, with a brush that sets the period, and its hosts.

import { figuresView } from "../parts";
import { addressOf, addressWith, go } from "./address";
import { ask, type Host, type Info, type Stats } from "./api";
import { day, inPeriod, isInPeriod, plural, type Context, type ViewParts } from "./frame";
import { count, link, spark, sparkOf, table, tablePart, text } from "./parts";
import { timeline } from "./timeline";

const HOSTS = 10_000;

function capturesIn(host: Host, during: string): number {
  if (!during) return host.captures;
  return Object.entries(host.years).reduce((sum, [year, captures]) => sum + (isInPeriod(year, during) ? captures : 0), 0);
}

export async function overview(context: Context): Promise<ViewParts> {
  const { archive, during } = context;
  const [info, stats, found] = await Promise.all([
    ask<Info>(`${archive}/info`), ask<Stats>(`${archive}/stats`),
    ask<{ hosts: Host[]; total: number; next?: string }>(`${archive}/hosts`, { sort: "captures", order: "descending", limit: HOSTS })]);
  const span = info.span ?? ["", ""];
  const captured = found.hosts.filter((host) => host.captures > 0);
  const hosts = captured.filter((host) => capturesIn(host, during) > 0);
  const rows = hosts.map((host) => [host.host, host.pages, capturesIn(host, during), host.links, sparkOf(host.years, span[0], span[1]), day(host.first), day(host.last)]);
  const part = table("Hosts", [link("host"), count("pages"), count(during ? "captures in years of the period" : "captures"), count("links"), spark("captures by year"), text("first"), text("last")], rows);
  const whole = stats.months && Object.keys(stats.months).length <= 120 ? stats.months : stats.years;
  const shown = Object.entries(stats.months ?? stats.years).filter(([time]) => !during || isInPeriod(time, during));
  const sum = (of: "captures" | "births" | "deaths") => shown.reduce((total, [, counts]) => total + counts[of], 0);
  const caption = `Those with captures; ${plural(found.total - captured.length, "more host is", "more hosts are")} known only from links${captured.length === HOSTS ? ", or not listed here" : ""}.`;
  return {
    title: info.name,
    sentence: `${plural(info.pages, "page")} on ${plural(captured.length, "host")}; ${plural(sum("captures"), "capture")}, ${plural(sum("births"), "link")} born and ${sum("deaths").toLocaleString("en-US")} died${inPeriod(during) || ` from ${day(span[0])} to ${day(span[1])}`}.`,
    parts: [
      figuresView({ part: "figures", figures: [
        { label: "pages", value: info.pages.toLocaleString("en-US"), note: `of ${plural(info.nodes, "known URL")}` },
        { label: "captures", value: info.captures.toLocaleString("en-US"), note: "" },
        { label: "links", value: info.links.toLocaleString("en-US"), note: "different ones, over all time" },
        { label: "hosts", value: captured.length.toLocaleString("en-US"), note: `of ${plural(found.total, "known host")}` }] }),
      timeline(whole, during, (chosen) => go(addressWith({ during: chosen }))),
      tablePart(context, part, caption)],
    away: { command: `webstrata stats ${archive}.ws`, python: `webstrata.open("${archive}.ws").stats()`, route: `${archive}/stats`, table: part, picture: null },
  };
}

export const home = (context: Context) => addressOf(context.archive, "", { during: context.during });
