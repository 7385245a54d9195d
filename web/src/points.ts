// SPDX-License-Identifier: Apache-2.0

// The points of a plot, ready to draw: gaps found, times made dates, and the same as a table.

import type { Axis, Cell, Column, PlotPart, TablePart } from "./data";
import { formatNumber, formatTime, shortened } from "./words";

export interface Point {
  series: number;
  x: number;
  y: number;
  low: number | null;
  high: number | null;
  label: string;
}

// Can this axis show this number?
export function isShowable(value: number | null | undefined, axis: Axis): value is number {
  return typeof value === "number" && (axis.scale !== "log" || value > 0);
}

export interface Points {
  points: (Point | null)[][]; // by series; null is a gap
  drawn: number;
  left_out: number; // not above zero on a log axis
}

export function pointsOf(part: PlotPart): Points {
  const found: Points = { points: [], drawn: 0, left_out: 0 };
  part.series.forEach((series, index) => {
    const x = series.x ?? [];
    const points = x.map((_, i): Point | null => {
      const y = series.y?.[i];
      if (isShowable(x[i], part.x) && isShowable(y, part.y)) {
        found.drawn += 1;
        const low = series.low?.[i];
        const high = series.high?.[i];
        const hasInterval = typeof low === "number" && isShowable(high, part.y); // a low of 0 ends at the bottom
        return { series: index, x: x[i]!, y, low: hasInterval ? low : null, high: hasInterval ? high : null, label: series.labels?.[i] ?? "" };
      }
      if (typeof x[i] === "number" && typeof y === "number") found.left_out += 1;
      return null;
    });
    found.points.push(points);
  });
  return found;
}

// How a coordinate reads: the name of its category, a date, or a number.
export function readable(value: number, axis: Axis, categories?: string[]): string {
  if (categories && Number.isInteger(value)) return shortened(categories[value] ?? "", 60);
  return axis.scale === "time" ? formatTime(value) : formatNumber(value);
}

export function describe(point: Point, part: PlotPart): string {
  const lines = [];
  if (point.label) lines.push(shortened(point.label, 70));
  if (part.series.length > 1) lines.push(shortened(part.series[point.series].name, 70));
  lines.push(`${shortened(part.x.label || "x", 40)}: ${readable(point.x, part.x, part.categories)}`);
  const interval = point.low === null ? "" : ` (${readable(point.low, part.y)} \u2013 ${readable(point.high!, part.y)})`;
  lines.push(`${shortened(part.y.label || "y", 40)}: ${readable(point.y, part.y)}${interval}`);
  return lines.join("\n");
}

// Every number of the plot, gaps too.
export function plotTable(part: PlotPart): TablePart {
  const isText = Boolean(part.categories) || part.x.scale === "time";
  const hasLabels = part.series.some((series) => series.labels);
  const hasIntervals = part.series.some((series) => series.low);
  const columns: Column[] = [{ name: "series", kind: "text" }];
  if (hasLabels) columns.push({ name: "label", kind: "link" });
  columns.push({ name: part.x.label || "x", kind: isText ? "text" : "number" }, { name: part.y.label || "y", kind: "number" });
  if (hasIntervals) columns.push({ name: "low", kind: "number" }, { name: "high", kind: "number" });
  const rows: Cell[][] = [];
  for (const series of part.series) {
    (series.x ?? []).forEach((x, i) => {
      const row: Cell[] = [series.name];
      if (hasLabels) row.push(series.labels?.[i] ?? null);
      const name = part.categories && x !== null ? part.categories[x] : isText && x !== null ? formatTime(x) : x;
      row.push(name, series.y?.[i] ?? null);
      if (hasIntervals) row.push(series.low?.[i] ?? null, series.high?.[i] ?? null);
      rows.push(row);
    });
  }
  return { part: "table", title: part.title, caption: "", columns, rows };
}
