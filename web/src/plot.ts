// SPDX-License-Identifier: Apache-2.0

// A plot: from its part of the data to a picture of a given width.

import * as Plot from "@observablehq/plot";
import type { PlotPart } from "./data";
import { appendLineLabels, lineNames, roomFor } from "./line_labels";
import { looksOf, type Colours, type Look } from "./looks";
import { barDomain, barMarks, barsOf, barTip, pointMarks, pointTip, type Frame } from "./marks";
import { pictureSection, type Chart, type View } from "./picture";
import { isShowable, plotTable, pointsOf, type Point, type Points } from "./points";
import { categoryOptions, extent, padded, scaleOptions, TICK, type Domain } from "./scales";
import { shortName, tipLetters, widest } from "./words";

const AROUND = 80; // pixels of both margins of an axis

// Bars with many or long names lie on their side, the first on top; years and months stand in their order.
function liesSideways(part: PlotPart): boolean {
  const names = part.categories ?? [];
  const areDates = names.length <= 48 && names.every((name) => /^\d{4}(-\d\d)?$/.test(name));
  return part.kind === "bar" && !areDates && (names.length > 16 || names.some((name) => name.length > 14));
}

function pointDomains(part: PlotPart, points: (Point | null)[][]): [Domain, Domain] {
  const some = points.flat().filter((point): point is Point => point !== null);
  const x = extent(some.map((point) => point.x))!;
  const y = extent(some.flatMap((point) => [point.y, point.low ?? point.y, point.high ?? point.y]).filter((value) => isShowable(value, part.y)))!;
  const across: Domain = part.categories ? [-0.5, part.categories.length - 0.5] : padded(x, part.x, false);
  return [across, part.y.downward && part.y.scale === "linear" ? [y[0] - 0.5, y[1] + 0.5] : padded(y, part.y, false)]; // ranks begin with 1
}

function isWhole(points: (Point | null)[][], coordinate: "x" | "y"): boolean {
  return points.every((some) => some.every((point) => point === null || Number.isInteger(point[coordinate])));
}

function drawPoints(part: PlotPart, points: (Point | null)[][], looks: Look[], view: View): Chart {
  const whole = pointDomains(part, points);
  const x = view.domain?.x ?? whole[0];
  const y = view.domain?.y ?? whole[1];
  const frame = frameFor(part, looks, view, y[0]);
  const names = part.kind === "line" ? lineNames(part.series.map((series) => series.name), looks, view.width) : [];
  const right = Math.max(24, roomFor(names) + 4);
  const across = view.width - right - 56;
  const height = Math.round(Math.min(400, Math.max(280, view.width * 0.5)));
  const chart = Plot.plot({
    ...common(view), marginRight: right, height,
    x: part.categories ? categoryOptions(part.x, part.categories, x, across / 90, 16) : scaleOptions(part.x, x, across, TICK.across, isWhole(points, "x")),
    y: scaleOptions(part.y, y, height - AROUND, TICK.up, isWhole(points, "y")),
    marks: [...pointMarks(part, points, frame), pointTip(part, points, frame)],
  }) as Chart;
  appendLineLabels(chart, points, names, looks, frame.x);
  return chart;
}

function drawBars(part: PlotPart, points: (Point | null)[][], looks: Look[], view: View): Chart {
  const sideways = liesSideways(part);
  const [, values] = barDomain(barsOf(part, points, 0));
  const whole = padded([Math.min(values[0], part.y.scale === "log" ? Infinity : 0), values[1]], part.y, true);
  const bars = barsOf(part, points, part.y.scale === "log" ? whole[0] : 0);
  const places: Domain = part.categories ? [-0.5, part.categories.length - 0.5] : barDomain(bars)[0];
  const frame = frameFor(part, looks, view, whole[0]);
  const along = (sideways ? view.domain?.y : view.domain?.x) ?? places;
  const up = (sideways ? view.domain?.x : view.domain?.y) ?? whole;
  const shownNames = part.categories ? part.categories.length : 0;
  const height = sideways ? Math.min(900, Math.max(160, shownNames * 24 + 60)) : Math.round(Math.min(380, Math.max(260, view.width * 0.45)));
  const letters = sideways ? (view.width < 560 ? 20 : view.width < 800 ? 34 : 44) : 16;
  const names = part.categories
    ? categoryOptions(part.x, part.categories, along, sideways ? height / 16 : (view.width - AROUND) / 64, letters)
    : scaleOptions(part.x, along, view.width - AROUND, TICK.across, isWhole(points, "x"));
  const [room, tick] = sideways ? [view.width - 200, TICK.across] : [height - AROUND, TICK.up];
  const numbers = scaleOptions(part.y, up, room, tick, isWhole(points, "y"));
  const longest = widest((part.categories ?? []).map((name) => shortName(name, letters)));
  const marks = [...barMarks(part, bars, frame, sideways), barTip(part, bars, frame, sideways)];
  if (!sideways) return Plot.plot({ ...common(view), height, x: { ...names, grid: false }, y: numbers, marks }) as Chart;
  const upsideDown = { ...names, reverse: true, label: null };
  return Plot.plot({ ...common(view), height, marginLeft: 16 + Math.ceil(longest), x: numbers, y: upsideDown, marks }) as Chart;
}

function frameFor(part: PlotPart, looks: Look[], view: View, bottom: number): Frame {
  const x = part.x.scale === "time" ? (value: number) => new Date(value * 1000) : (value: number) => value;
  return { looks, x, clip: view.domain !== null, bottom, letters: tipLetters(view.width) };
}

function common(view: View): Plot.PlotOptions {
  return { width: view.width, marginLeft: 56, marginRight: 24, marginTop: 30, marginBottom: 50, className: "plot", style: { fontSize: "12px" } };
}

// What a reader should know about points that are not there.
function notice(found: Points): string {
  if (found.left_out === 0) return "";
  const points = found.left_out === 1 ? "1 point is" : `${found.left_out} points are`;
  return `${points} not above zero and cannot be shown on a logarithmic axis; the data has ${found.left_out === 1 ? "it" : "them"}.`;
}

export function plotSection(part: PlotPart, colours: Colours): HTMLElement {
  const looks = looksOf(part, colours);
  const found = pointsOf(part);
  const draw = (view: View): Chart | null => {
    const points = found.points.map((some, series) => (view.hidden.has(series) ? [] : some));
    if (!points.some((some) => some.some(Boolean))) return null;
    return part.kind === "bar" ? drawBars(part, points, looks, view) : drawPoints(part, points, looks, view);
  };
  return pictureSection({
    title: part.title, caption: part.caption, notice: notice(found), table: plotTable(part),
    legend: part.series.map((series, i) => ({ name: series.name, look: looks[i] })), lines: part.kind === "line", keepsShape: false, draw,
  });
}
