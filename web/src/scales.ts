// SPDX-License-Identifier: Apache-2.0

// Where an axis begins and ends, and where its ticks stand.

import type { ScaleOptions } from "@observablehq/plot";
import type { Axis } from "./data";
import { formatTick, shortName, shortened } from "./words";

export type Domain = [number, number];

export function extent(values: Iterable<number>): Domain | null {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low <= high ? [low, high] : null;
}

// A little room on both sides, so that no mark lies on the frame; bars stand on zero.
export function padded([low, high]: Domain, axis: Axis, fromZero: boolean): Domain {
  if (axis.scale === "log") {
    const room = Math.max((Math.log10(high) - Math.log10(low)) * 0.04, 0.05);
    const start = fromZero ? 10 ** (Math.ceil(Math.log10(low)) - 1) : low / 10 ** room;
    return [start, high * 10 ** room];
  }
  const isFlat = high - low <= 1e-9 * Math.max(Math.abs(low), Math.abs(high)); // but for what rounding left
  if (isFlat && axis.scale === "linear") return low === 0 ? [0, 1] : [Math.min(0, low), Math.max(0, high) * 1.1];
  const room = low === high ? 86_400 : (high - low) * 0.04;
  const startsAtZero = axis.scale === "linear" && low >= 0 && (fromZero || low < (high - low) * 0.25);
  return [startsAtZero ? 0 : low - room, high + room];
}

// Powers of ten; with 2 and 5 between where there is room, and some left out where there are many.
function logTicks([low, high]: Domain, room: number, tick: number): number[] {
  const first = Math.floor(Math.log10(low));
  const last = Math.ceil(Math.log10(high));
  const fromOneToTwo = (Math.log10(2) * room) / Math.log10(high / low);
  const steps = last - first <= 3 && fromOneToTwo >= tick ? [1, 2, 5] : [1];
  const every = Math.ceil((last - first) / 8);
  const ticks = [];
  for (let power = first; power <= last; power += every) {
    for (const step of steps) ticks.push(Number(`${step}e${power}`));
  }
  return ticks.filter((tick) => tick >= low && tick <= high);
}

const asDate = (seconds: number) => new Date(seconds * 1000);

export const TICK = { across: 46, up: 16 }; // pixels that the text of a tick needs

// `room`: pixels along the axis. Where all values are whole, no tick stands between two of them.
export function scaleOptions(axis: Axis, domain: Domain, room: number, tick: number, isWhole = false): ScaleOptions {
  const label = axis.label ? shortened(axis.label, 60) : null;
  if (axis.scale === "time") return { type: "utc", domain: domain.map(asDate), label, grid: true };
  if (axis.scale === "log") return { type: "log", domain, ticks: logTicks(domain, room, tick), tickFormat: formatTick, label, grid: true, reverse: axis.downward };
  const most = Math.max(3, Math.round(room / 90));
  const ticks = isWhole ? Math.min(most, Math.max(1, Math.floor(domain[1] - domain[0]))) : most;
  return { type: "linear", domain, ticks, tickFormat: formatTick, label, grid: true, reverse: axis.downward };
}

// Names at 0, 1, 2, …; where they would touch, only some of them.
export function categoryOptions(axis: Axis, names: string[], domain: Domain, slots: number, length: number): ScaleOptions {
  const inside = names.map((_, i) => i).filter((i) => i >= domain[0] && i <= domain[1]);
  const every = Math.max(1, Math.ceil(inside.length / slots));
  return {
    type: "linear", domain, label: axis.label ? shortened(axis.label, 60) : null, grid: false,
    ticks: inside.filter((_, n) => n % every === 0),
    tickFormat: (i: number) => shortName(names[i] ?? "", length),
  };
}
