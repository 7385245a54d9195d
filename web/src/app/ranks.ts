// SPDX-License-Identifier: Apache-2.0

// Saved scores at several dates: who ranks where, and when.

import type { PlotPart } from "../data";
import { element } from "../dom";
import { pageColours } from "../looks";
import { plotSection } from "../plot";
import { ask } from "./api";
import { notice, plural, type Context, type ViewParts } from "./frame";
import { count, link, table, tablePart } from "./parts";

interface Column {
  column: string;
  date?: string;
  top: { url: string; score: number }[];
}

const TOP = 10;

export async function ranks(context: Context): Promise<ViewParts> {
  const { archive } = context;
  const { columns } = await ask<{ columns: Column[] }>(`${archive}/rank`, { limit: 100 });
  const sorted = [...columns].sort((a, b) => (a.date ?? a.column).localeCompare(b.date ?? b.column));
  const names = sorted.map((one) => one.date ?? one.column);
  const rankOf = sorted.map((one) => new Map(one.top.map(({ url }, i) => [url, i + 1])));
  const best = new Map<string, number>();
  for (const one of sorted) one.top.forEach(({ url }, i) => best.set(url, Math.min(best.get(url) ?? Infinity, i + 1)));
  const urls = [...best].sort((a, b) => a[1] - b[1]).map(([url]) => url);
  const drawn = urls.slice(0, TOP);
  const plot: PlotPart = { part: "plot", title: "Rank by date", caption: `The ${drawn.length} pages that ranked highest at any date; 1 is on top. A gap: not among the first 100.`, kind: "line", stacked: false,
    x: { label: "", scale: "linear", downward: false }, y: { label: "rank", scale: "linear", downward: true }, categories: names,
    series: drawn.map((url) => ({ name: url, x: names.map((_, i) => i), y: rankOf.map((ranked) => ranked.get(url) ?? null) })) };
  const part = table("Top pages", [link("page"), ...sorted.map((one, i) => count(`rank ${names[i] || one.column}`))], urls.map((url) => [url, ...rankOf.map((ranked) => ranked.get(url) ?? null)]));
  const hint = element("p", {}, "Save scores for a date with ", element("code", {}, `webstrata rank ${archive}.ws@2021 --save pagerank_2021`), ".");
  return {
    title: "Ranks over time",
    sentence: columns.length === 0 ? "This archive has no saved scores." : `${urls[0]} ranks highest; ${plural(columns.length, "column")} of scores ${columns.length === 1 ? "is" : "are"} saved.`,
    parts: columns.length === 0 ? [notice("Ranks are shown from scores that are saved in the archive."), hint] : [plotSection(plot, pageColours([plot])), tablePart(context, part), hint],
    away: { command: `webstrata rank ${archive}.ws@2021 --top 100`, python: `webstrata.open("${archive}.ws").snapshot(at="2021").pagerank().top(100)`, route: `${archive}/rank`, words: { limit: 100 }, table: columns.length === 0 ? null : part, picture: null },
  };
}
