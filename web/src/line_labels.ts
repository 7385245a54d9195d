// SPDX-License-Identifier: Apache-2.0

// Names at the ends of lines, beside the frame, where none covers another.

import { svgElement } from "./dom";
import type { Look } from "./looks";
import type { Chart } from "./picture";
import type { Point } from "./points";
import { distinctNames, widest } from "./words";

const LINE = 15; // pixels of a line of text
const AWAY = 10; // pixels between the frame and the names
const WEIGHT = 600; // of the names
const NARROW = 560;

// The names of the lines that get one: those that are emphasised, if there are others to tell them from.
export function lineNames(names: string[], looks: Look[], width: number): (string | null)[] {
  if (names.length < 2) return names.map(() => null);
  const short = distinctNames(names, width < NARROW ? 12 : 26);
  return short.map((name, i) => (looks[i].quiet ? null : name));
}

export function roomFor(names: (string | null)[]): number {
  const some = names.filter((name): name is string => name !== null);
  return some.length === 0 ? 0 : Math.ceil(AWAY + widest(some, WEIGHT));;
}

// Places as near as possible to those wished for, in their order, at least `gap` apart and within the bounds: the
// isotonic regression of the wishes without the gaps, by pooling neighbours that are in each other's way.
export function spread(wishes: number[], gap: number, low: number, high: number): number[] {
  const order = wishes.map((_, i) => i).sort((a, b) => wishes[a] - wishes[b] || a - b);
  const pools: { mean: number; count: number }[] = [];
  order.forEach((which, place) => {
    let pool = { mean: wishes[which] - place * gap, count: 1 };
    while (pools.length > 0 && pools[pools.length - 1].mean > pool.mean) {
      const last = pools.pop()!;
      const count = last.count + pool.count;
      pool = { mean: (last.mean * last.count + pool.mean * pool.count) / count, count };
    }
    pools.push(pool);
  });
  const means = pools.flatMap((pool) => new Array<number>(pool.count).fill(pool.mean));
  const highest = Math.max(low, high - (wishes.length - 1) * gap);
  const places = new Array<number>(wishes.length);
  order.forEach((which, place) => (places[which] = Math.min(highest, Math.max(low, means[place])) + place * gap));
  return places;
}

interface End {
  name: string;
  look: Look;
  x: number; // pixels, where the line ends
  y: number;
}

// The rightmost point of each line inside the frame; some lines are written from right to left.
function endsOf(chart: Chart, points: (Point | null)[][], names: (string | null)[], looks: Look[], toX: (x: number) => number | Date): End[] {
  const [x, y] = [chart.scale("x")!, chart.scale("y")!];
  const within = (value: number, [a, b]: number[]) => value >= Math.min(a, b) - 1 && value <= Math.max(a, b) + 1;
  return names.flatMap((name, series) => {
    if (name === null) return [];
    const ends = points[series].flatMap((point): End[] => {
      if (!point) return [];
      const [across, up] = [x.apply!(toX(point.x)), y.apply!(point.y)];
      return within(across, x.range as number[]) && within(up, y.range as number[]) ? [{ name, look: looks[series], x: across, y: up }] : [];
    });
    return ends.length === 0 ? [] : [ends.reduce((a, b) => (b.x >= a.x ? b : a))];
  });
}

export function appendLineLabels(
  chart: Chart, points: (Point | null)[][], names: (string | null)[], looks: Look[], toX: (x: number) => number | Date,
): void {
  const ends = endsOf(chart, points, names, looks, toX);
  if (ends.length === 0) return;
  const [top, bottom] = [...(chart.scale("y")!.range as number[])].sort((a, b) => a - b);
  const right = Math.max(...(chart.scale("x")!.range as number[])) + AWAY;
  const places = spread(ends.map((end) => end.y), LINE, top, bottom);
  const group = svgElement("g", { "aria-label": "line label", "pointer-events": "none" });
  ends.forEach((end, i) => {
    if (Math.abs(places[i] - end.y) > 2 || right - end.x > 2 * AWAY) {
      group.append(svgElement("path", { d: `M${end.x + 3},${end.y}L${right - 2},${places[i]}`, fill: "none", stroke: end.look.colour, "stroke-opacity": 0.45 }));
    }
    group.append(svgElement("text", { x: right, y: places[i], dy: "0.32em", "text-anchor": "start", fill: end.look.colour, "font-weight": WEIGHT }, end.name));
  });
  chart.insertBefore(group, chart.querySelector('[aria-label="tip"]'));
}
