// SPDX-License-Identifier: Apache-2.0

// Saved scores at several dates: who ranks where, and when.

import type { PlotPart } from "../data";
import { element } from "../dom";
import { pageColours } from "../looks";
import { plotSection } from "../plot";
import { shortName } from "../words";
import { ask } from "./api";
import { inPython, isInPeriod, notice, plural, type Context, type ViewParts } from "./frame";
import { chooser, count, link, table, tablePart } from "./parts";

interface Column {
  column: string;
  date?: string;
  top: { url: string; score: number }[];
}

const DRAWN = 10;
const LISTED = 100;

// "pagerank_2021" and "pagerank_2023" are the same scores at two dates.
const stemOf = ({ column, date }: Column) => (date && column.endsWith(date) ? column.slice(0, -date.length).replace(/[_@-]$/, "") : column);

function bumpChart(urls: string[], names: string[], rankOf: Map<string, number>[]): PlotPart {
  const drawn = urls.slice(0, DRAWN);
  return { part: "plot", title: "Rank by date", caption: `The ${drawn.length} pages that ranked highest at any date; 1 is on top. A gap: not among the first ${LISTED}.`, kind: "line", stacked: false,
    x: { label: "", scale: "linear", downward: false }, y: { label: "rank", scale: "linear", downward: true }, categories: names,
    series: drawn.map((url) => ({ name: url, x: names.map((_, i) => i), y: rankOf.map((ranked) => ranked.get(url) ?? null) })) };
}

function empty(context: Context, hint: HTMLElement): ViewParts {
  const { archive } = context;
  return {
    title: "Ranks over time", sentence: "This archive has no saved scores.",
    parts: [notice("Ranks are shown from scores that are saved in the archive, one column for each date."), hint],
    away: { command: `webstrata rank ${archive}.ws --top 100`, python: `webstrata.open("${archive}.ws").snapshot().pagerank().top(100)`, route: `${archive}/rank`, words: { limit: LISTED }, table: null, picture: null },
  };
}

export async function ranks(context: Context): Promise<ViewParts> {
  const { archive, during, place } = context;
  const { columns } = await ask<{ columns: Column[] }>(`${archive}/rank`, { limit: LISTED });
  const hint = element("p", {}, "Save scores for a date with ", element("code", {}, `webstrata rank ${archive}.ws@2021 --save pagerank_2021`), ".");
  if (columns.length === 0) return empty(context, hint);
  const stems = [...new Set(columns.map(stemOf))].sort();
  const stem = place.words.get("scores") || stems.find((one) => one === "pagerank") || stems[0];
  const inside = columns.filter((one) => stemOf(one) === stem && (!during || !one.date || isInPeriod(one.date, during)));
  const sorted = inside.sort((a, b) => (a.date ?? a.column).localeCompare(b.date ?? b.column));
  const names = sorted.map((one) => one.date ?? one.column);
  const rankOf = sorted.map((one) => new Map(one.top.map(({ url }, i) => [url, i + 1])));
  const best = new Map<string, number>();
  for (const one of sorted) one.top.forEach(({ url }, i) => best.set(url, Math.min(best.get(url) ?? Infinity, i + 1)));
  const urls = [...best].sort((a, b) => a[1] - b[1]).map(([url]) => url);
  const plot = bumpChart(urls, names, rankOf);
  const part = table("Top pages", [link("page"), ...names.map((name) => count(`rank ${name}`))], urls.map((url) => [url, ...rankOf.map((ranked) => ranked.get(url) ?? null)]));
  const last = names[names.length - 1] ?? "";
  const at = /^\d{4}/.test(last) ? last : "";
  const first = rankOf[rankOf.length - 1] && urls.find((url) => rankOf[rankOf.length - 1].get(url) === 1);
  return {
    title: "Ranks over time",
    sentence: first ? `${shortName(first, 120)} ranked highest${at ? ` at ${at}` : ""} by ${stem}; scores are saved for ${plural(names.length, "date")}.` : "No scores are saved for this period.",
    parts: [stems.length > 1 ? element("div", { class: "tools" }, chooser("Scores", stems, stem, "scores")) : null,
      first ? plotSection(plot, pageColours([plot])) : notice("Choose another period, or all time."), first ? tablePart(context, part) : null, hint],
    away: { command: `webstrata rank ${archive}.ws${at ? `@${at}` : ""} --top ${LISTED}`, python: `webstrata.open("${archive}.ws").snapshot(${at ? `at=${inPython(at)}` : ""}).pagerank().top(${LISTED})`,
      route: `${archive}/rank`, words: { limit: LISTED }, table: first ? part : null, picture: null },
  };
}
