// SPDX-License-Identifier: Apache-2.0

// Draws the visible part of a strata view. Bars are written as pixels, one line per row and then copied, so that a frame costs the
// same whether a row has one bar or a thousand; text and grid are drawn around them.

import type { Rows } from "./strata_rows";

export const AXIS = 26; // pixels above the rows
const BAR_MIN = 3; // pixels of a bar in true time
const LABELS_FROM = 11; // pixels of a row that has room for its name
const FONT = '12px system-ui, -apple-system, "Segoe UI", "Liberation Sans", "DejaVu Sans", sans-serif';

export interface Layout {
  width: number; // of the stage, in CSS pixels
  height: number;
  rowHeight: number;
  zoom: number; // 1: all columns fit
  trueTime: boolean;
}

export interface Scene {
  rows: Rows;
  order: Uint32Array;
  layout: Layout;
  colourOf: Uint32Array; // packed, for each row
  focus: { place: number; column: number } | null; // a place in `order`
  top: number; // scrolled by
  left: number;
}

export function gutterOf({ width, rowHeight }: Layout): number {
  return rowHeight < LABELS_FROM ? 0 : Math.round(Math.min(320, width * 0.42));
}

export function contentWidth(layout: Layout): number {
  return (layout.width - gutterOf(layout)) * layout.zoom;
}

// Left and right edges of the columns, from the left end of the content.
export function edgesOf(times: number[], layout: Layout): { from: Float64Array; to: Float64Array } {
  const across = contentWidth(layout);
  const from = new Float64Array(times.length);
  const to = new Float64Array(times.length);
  const [start, span] = [times[0] ?? 0, (times[times.length - 1] ?? 0) - (times[0] ?? 0)];
  for (let i = 0; i < times.length; i += 1) {
    from[i] = layout.trueTime && span > 0 ? ((times[i] - start) / span) * (across - BAR_MIN) : (i * across) / times.length;
    to[i] = layout.trueTime && span > 0 ? from[i] + BAR_MIN : ((i + 1) * across) / times.length;
  }
  return { from, to };
}

// The column at a distance from the left end of the content.
export function columnAt(edges: { from: Float64Array }, x: number): number {
  let [low, high] = [0, edges.from.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (edges.from[middle] <= x) low = middle;
    else high = middle - 1;
  }
  return low;
}

// ---- ticks --------------------------------------------------------------------------------------------------

const DAY = 86_400;
const STEPS: [number, "year" | "month" | "day"][] = [[1, "day"], [7, "day"], [1, "month"], [3, "month"], [1, "year"], [2, "year"], [5, "year"], [10, "year"], [50, "year"]];
const LENGTH = { year: 365.25 * DAY, month: 30.44 * DAY, day: DAY };

function timeTicks(start: number, end: number, most: number): { time: number; text: string }[] {
  const [step, unit] = STEPS.find(([count, of]) => (end - start) / (count * LENGTH[of]) <= most) ?? [100, "year" as const];
  const date = new Date(start * 1000);
  const ticks = [];
  let [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  if (unit === "year") [year, month, day] = [Math.floor(year / step) * step, 0, 1];
  if (unit === "month") [month, day] = [Math.floor(month / step) * step, 1];
  for (let i = 0; i < 400; i += 1) {
    const time = Date.UTC(year, month, day) / 1000;
    if (time > end) break;
    const text = new Date(time * 1000).toISOString().slice(0, unit === "year" ? 4 : unit === "month" ? 7 : 10);
    if (time >= start) ticks.push({ time, text });
    if (unit === "year") year += step;
    else if (unit === "month") month += step;
    else day += step;
  }
  return ticks;
}

// Ticks of the visible part: their places from the left of the plot, and texts.
function ticksOf(scene: Scene, edges: { from: Float64Array; to: Float64Array }, plotWidth: number): { x: number; text: string }[] {
  const times = scene.rows.part.times;
  if (times.length === 0) return [];
  const most = Math.max(1, Math.floor(plotWidth / 90));
  const [start, span] = [times[0], times[times.length - 1] - times[0]];
  if (scene.layout.trueTime && span > 0) {
    const perSecond = (contentWidth(scene.layout) - BAR_MIN) / span;
    const first = start + scene.left / perSecond;
    return timeTicks(first, Math.min(start + span, first + plotWidth / perSecond), most)
      .map(({ time, text }) => ({ x: (time - start) * perSecond - scene.left, text }));
  }
  const every = Math.max(1, Math.ceil((90 * times.length) / contentWidth(scene.layout)));
  const ticks = [];
  for (let i = Math.floor(columnAt(edges, scene.left) / every) * every; i < times.length && edges.from[i] - scene.left < plotWidth; i += every) {
    ticks.push({ x: edges.from[i] - scene.left, text: new Date(times[i] * 1000).toISOString().slice(0, 10) });
  }
  return ticks;
}

// ---- the picture -----------------------------------------------------------------------------------------------

let pixels: ImageData | null = null; // used again while the size stays

function bars(scene: Scene, edges: { from: Float64Array; to: Float64Array }, wide: number, high: number, scale: number): ImageData {
  if (!pixels || pixels.width !== wide || pixels.height !== high) pixels = new ImageData(wide, high);
  const buffer = new Uint32Array(pixels.data.buffer);
  buffer.fill(0);
  const { rows, order, layout, colourOf, top, left } = scene;
  const { runs, starts } = rows;
  const gap = layout.rowHeight * scale >= 4 ? Math.max(1, Math.round(layout.rowHeight * scale * 0.15)) : 0;
  const begin = Math.floor(top / layout.rowHeight);
  for (let place = begin; place < order.length; place += 1) {
    const y0 = Math.round((place * layout.rowHeight - top) * scale);
    if (y0 >= high) break;
    const y1 = Math.min(high, Math.round(((place + 1) * layout.rowHeight - top) * scale) - gap);
    const at = Math.max(0, y0);
    if (y1 <= at) continue;
    const row = order[place];
    const line = at * wide;
    for (let i = starts[row]; i < starts[row + 1]; i += 2) {
      const x1 = Math.ceil((edges.to[runs[i + 1] - 1] - left) * scale);
      if (x1 <= 0) continue;
      const x0 = Math.floor((edges.from[runs[i]] - left) * scale);
      if (x0 >= wide) break;
      buffer.fill(colourOf[row], line + Math.max(0, x0), line + Math.min(wide, Math.max(x1, x0 + 1)));
    }
    for (let y = at + 1; y < y1; y += 1) buffer.copyWithin(y * wide, line, line + wide);
  }
  return pixels;
}

function drawLabels(context: CanvasRenderingContext2D, scene: Scene, ink: string, gutter: number): void {
  const { rows, order, layout, top } = scene;
  context.fillStyle = ink;
  context.textAlign = "left";
  context.textBaseline = "middle";
  const letters = Math.floor(gutter / 6.2);
  for (let place = Math.floor(top / layout.rowHeight); place < order.length; place += 1) {
    const y = AXIS + (place + 0.46) * layout.rowHeight - top;
    if (y > layout.height) break;
    if (y < AXIS + 4) continue;
    context.fillText(rows.label(order[place], letters), 2, y, gutter - 12);
  }
}

export interface Inks {
  ink: string;
  soft: string;
  line: string;
  accent: string;
  paper: string;
}

export function draw(canvas: HTMLCanvasElement, scene: Scene, inks: Inks): void {
  const { layout } = scene;
  const scale = Math.min(2, window.devicePixelRatio || 1);
  const [wide, high] = [Math.round(layout.width * scale), Math.round(layout.height * scale)];
  if (canvas.width !== wide || canvas.height !== high) [canvas.width, canvas.height] = [wide, high];
  const context = canvas.getContext("2d")!;
  const gutter = gutterOf(layout);
  const plotWidth = layout.width - gutter;
  const edges = edgesOf(scene.rows.part.times, layout);
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, wide, high);
  const [plotWide, plotHigh] = [Math.round(plotWidth * scale), Math.round((layout.height - AXIS) * scale)];
  if (plotWide > 0 && plotHigh > 0) {
    context.putImageData(bars(scene, edges, plotWide, plotHigh, scale), Math.round(gutter * scale), Math.round(AXIS * scale));
  }
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.font = FONT;
  drawAxis(context, scene, edges, inks, gutter);
  if (gutter > 0) drawLabels(context, scene, inks.ink, gutter);
  drawFocus(context, scene, edges, inks, gutter);
}

function drawAxis(context: CanvasRenderingContext2D, scene: Scene, edges: { from: Float64Array; to: Float64Array }, inks: Inks, gutter: number): void {
  const { layout } = scene;
  context.globalCompositeOperation = "destination-over"; // lines are behind the bars
  context.fillStyle = inks.line;
  const ticks = ticksOf(scene, edges, layout.width - gutter);
  for (const { x } of ticks) if (x >= 0) context.fillRect(gutter + Math.round(x), AXIS, 1, layout.height - AXIS);
  context.globalCompositeOperation = "source-over";
  context.fillRect(0, AXIS - 1, layout.width, 1);
  context.fillStyle = inks.soft;
  context.textBaseline = "middle";
  context.textAlign = "left";
  for (const { x, text } of ticks) {
    const room = layout.width - gutter - context.measureText(text).width;
    if (x >= -1) context.fillText(text, gutter + Math.min(Math.max(0, x), Math.max(0, room)), AXIS / 2);
  }
}

function drawFocus(context: CanvasRenderingContext2D, scene: Scene, edges: { from: Float64Array; to: Float64Array }, inks: Inks, gutter: number): void {
  const { focus, layout } = scene;
  if (!focus || focus.place >= scene.order.length) return;
  const y = AXIS + focus.place * layout.rowHeight - scene.top;
  context.save();
  context.beginPath();
  context.rect(0, AXIS, layout.width, layout.height - AXIS);
  context.clip();
  context.strokeStyle = inks.accent;
  context.lineWidth = 1.5;
  context.strokeRect(0.75, y - 1, layout.width - 1.5, Math.max(4, layout.rowHeight + 1));
  const x = gutter + edges.from[focus.column] - scene.left;
  const width = Math.max(2, edges.to[focus.column] - edges.from[focus.column]);
  if (x + width > gutter) {
    context.fillStyle = inks.accent;
    context.globalAlpha = 0.25;
    context.fillRect(Math.max(gutter, x), AXIS, Math.min(width, x + width - gutter), layout.height - AXIS);
  }
  context.restore();
}
