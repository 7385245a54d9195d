// SPDX-License-Identifier: Apache-2.0

// What is drawn for the points: lines, dots or bars, one set of marks for each series.

import * as Plot from "@observablehq/plot";
import type { PlotPart } from "./data";
import type { Look } from "./looks";
import { describe, type Point } from "./points";
import type { Domain } from "./scales";
import { folded } from "./words";

const SYMBOLS = ["circle", "square", "triangle", "diamond", "wye", "star", "cross", "plus"] as const;
const DOTS_ON_LINES = 30; // more would hide the line

const real = (points: (Point | null)[]) => points.filter((point): point is Point => point !== null);

export interface Frame {
  looks: Look[]; // by series
  x: (value: number) => number | Date;
  clip: boolean;
  bottom: number; // of the axis of y
  letters: number; // in a line of a tip
}

// An interval that reaches to zero or below has its end at the bottom of a logarithmic axis.
const lowEnd = (point: Point, part: PlotPart, frame: Frame) => (part.y.scale === "log" ? Math.max(point.low!, frame.bottom) : point.low!);

function intervalMarks(points: (Point | null)[], part: PlotPart, frame: Frame): Plot.Markish[] {
  const some = real(points).filter((point) => point.low !== null);
  if (some.length === 0) return [];
  const place = { x: (p: Point) => frame.x(p.x), y1: (p: Point) => lowEnd(p, part, frame), y2: "high", clip: frame.clip };
  const { colour: tint, quiet } = frame.looks[some[0].series];
  if (quiet) return [];
  return part.kind === "line"
    ? [Plot.areaY(some, { ...place, fill: tint, fillOpacity: part.series.length > 3 ? 0.09 : 0.15 })]
    : [Plot.ruleX(some, { ...place, stroke: tint, strokeOpacity: 0.7, strokeWidth: 1.5 })];
}

function lineMarks(points: (Point | null)[], series: number, frame: Frame): Plot.Markish[] {
  const dotted = points.length <= DOTS_ON_LINES;
  const x = (p: Point | null) => (p ? frame.x(p.x) : NaN);
  const y = (p: Point | null) => (p ? p.y : NaN);
  const { colour, dashes, quiet } = frame.looks[series];
  const look = { stroke: colour, strokeWidth: quiet ? 1.2 : 2, strokeDasharray: dashes || undefined };
  return [
    Plot.line(points, { x, y, ...look, clip: frame.clip }),
    ...(dotted ? [Plot.dot(real(points), { x, y, r: quiet ? 2 : 3, fill: colour, clip: frame.clip })] : []),
  ];
}

function dotMarks(points: (Point | null)[], series: number, frame: Frame): Plot.Markish[] {
  const some = real(points);
  return [Plot.dot(some, {
    x: (p: Point) => frame.x(p.x), y: "y", r: some.length > 500 ? 2 : 3.5, symbol: SYMBOLS[series % SYMBOLS.length],
    stroke: frame.looks[series].colour, fill: frame.looks[series].colour, fillOpacity: 0.35, strokeWidth: 1.2, clip: frame.clip,
  })];
}

export function pointMarks(part: PlotPart, points: (Point | null)[][], frame: Frame): Plot.Markish[] {
  const marksOf = (some: (Point | null)[], series: number) => [
    ...intervalMarks(some, part, frame),
    ...(part.kind === "line" ? lineMarks(some, series, frame) : dotMarks(some, series, frame)),
  ];
  const drawn = points.map(marksOf);
  const those = (quiet: boolean) => drawn.filter((_, series) => frame.looks[series].quiet === quiet).flat();
  return [...those(true), ...those(false)]; // what is emphasised is on top
}

// ---- bars -------------------------------------------------------------------------------------------

export interface Bar {
  point: Point;
  from: number; // along the axis of x
  to: number;
  low: number; // along the axis of y
  high: number;
}

// The narrowest gap between two bars' places, on a log axis between their logarithms.
function narrowestGap(places: number[]): number {
  const sorted = [...new Set(places)].sort((a, b) => a - b);
  const gaps = sorted.slice(1).map((place, i) => place - sorted[i]);
  return gaps.length ? Math.min(...gaps) : 1;
}

// Shares the room of each x between the series, or stacks them. `ground`: where bars stand.
export function barsOf(part: PlotPart, series: (Point | null)[][], ground: number): Bar[] {
  const shownSeries = series.map(real).filter((points) => points.length > 0);
  const isLog = part.x.scale === "log";
  const place = (x: number) => (isLog ? Math.log10(x) : x);
  const back = (p: number) => (isLog ? 10 ** p : p);
  const width = 0.8 * narrowestGap(shownSeries.flat().map((point) => place(point.x)));
  const slots = part.stacked ? 1 : Math.max(1, shownSeries.length);
  const tops = new Map<number, number>();
  return shownSeries.flatMap((points, n) => points.map((point) => {
    const start = place(point.x) - width / 2 + (part.stacked ? 0 : (n * width) / slots);
    const low = part.stacked ? tops.get(point.x) ?? 0 : 0;
    tops.set(point.x, low + point.y);
    return { point, from: back(start), to: back(start + width / slots), low: low === 0 ? ground : low, high: low + point.y };
  }));
}

export function barMarks(part: PlotPart, bars: Bar[], frame: Frame, sideways: boolean): Plot.Markish[] {
  const from = (bar: Bar) => frame.x(bar.from);
  const to = (bar: Bar) => frame.x(bar.to);
  const along = sideways ? { y1: from, y2: to, x1: "low", x2: "high" } : { x1: from, x2: to, y1: "low", y2: "high" };
  const bySeries = part.series.map((_, series) => bars.filter((bar) => bar.point.series === series));
  const middle = (bar: Bar) => frame.x((bar.from + bar.to) / 2);
  const whiskers = bars.filter((bar) => bar.point.low !== null);
  const interval = { stroke: "currentColor", strokeWidth: 1.2, clip: frame.clip };
  return [
    ...bySeries.filter((some) => some.length).map((some) =>
      Plot.rect(some, { ...along, fill: frame.looks[some[0].point.series].colour, inset: 0.5, clip: frame.clip })),
    ...(whiskers.length === 0 || part.stacked ? [] : sideways
      ? [Plot.ruleY(whiskers, { y: middle, x1: (b: Bar) => lowEnd(b.point, part, frame), x2: (b: Bar) => b.point.high, ...interval })]
      : [Plot.ruleX(whiskers, { x: middle, y1: (b: Bar) => lowEnd(b.point, part, frame), y2: (b: Bar) => b.point.high, ...interval })]),
  ];
}

// ---- what a mark is, on pointing ----------------------------------------------------------------------

const LOOK = { fontSize: 12, lineWidth: 28, textPadding: 9, maxRadius: 45, pathFilter: "none" };

export function pointTip(part: PlotPart, points: (Point | null)[][], frame: Frame): Plot.Markish {
  const some = points.flatMap(real);
  return Plot.tip(some, Plot.pointer({ x: (p: Point) => frame.x(p.x), y: "y", title: (p: Point) => folded(describe(p, part), frame.letters), ...LOOK }));
}

export function barTip(part: PlotPart, bars: Bar[], frame: Frame, sideways: boolean): Plot.Markish {
  const middle = (bar: Bar) => frame.x((bar.from + bar.to) / 2);
  const title = (bar: Bar) => folded(describe(bar.point, part), frame.letters);
  return sideways
    ? Plot.tip(bars, Plot.pointerY({ y: middle, x: "high", title, ...LOOK, maxRadius: 400 }))
    : Plot.tip(bars, Plot.pointerX({ x: middle, y: "high", title, ...LOOK, maxRadius: 400 }));
}

export function barDomain(bars: Bar[]): Domain[] {
  const ends = [Infinity, -Infinity, Infinity, -Infinity];
  for (const bar of bars) {
    ends[0] = Math.min(ends[0], bar.from);
    ends[1] = Math.max(ends[1], bar.to);
    ends[2] = Math.min(ends[2], bar.high, bar.point.low ?? bar.high);
    ends[3] = Math.max(ends[3], bar.high, bar.point.high ?? bar.high);
  }
  return [[ends[0], ends[1]], [ends[2], ends[3]]];
}
