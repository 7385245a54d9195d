// SPDX-License-Identifier: Apache-2.0

// A strata view as a picture of its own: all rows that are shown, in their order, whatever part is on the screen.

import { svgElement } from "./dom";
import { withColours, type SvgFile } from "./export";
import { contentWidth, edgesOf } from "./strata_draw";
import type { Group, Rows } from "./strata_rows";
import { formatTime, shortened } from "./words";

const WIDTH = 1200;
const HIGHEST = 6000; // pixels of all rows
const TOP = 84;

// One path for each colour: short, however many bars there are.
function barPaths(rows: Rows, order: Uint32Array, groups: Group[], grouping: number, trueTime: boolean, rowHeight: number): SVGElement[] {
  const edges = edgesOf(rows.part.times, { width: WIDTH - 32, height: 0, rowHeight: 1, zoom: 1, trueTime });
  const of = rows.part.groupings[grouping]?.of;
  const groupOf = new Map<number, number>();
  groups.forEach((group, i) => group.members.forEach((member) => groupOf.set(member, i)));
  const lines: string[][] = groups.map(() => []);
  order.forEach((row, place) => {
    const y = (TOP + (place + 0.5) * rowHeight).toFixed(1);
    for (let i = rows.starts[row]; i < rows.starts[row + 1]; i += 2) {
      const from = edges.from[rows.runs[i]];
      const to = edges.to[rows.runs[i + 1] - 1];
      lines[of ? groupOf.get(of[row])! : 0].push(`M${(16 + from).toFixed(1)} ${y}h${(to - from).toFixed(1)}`);
    }
  });
  return lines.map((some, i) => svgElement("path", { d: some.join(""), stroke: `var(${groups[i].variable})`, "stroke-width": Math.max(0.3, rowHeight * 0.86), fill: "none" }));
}

export function strataSvg(rows: Rows, order: Uint32Array, groups: Group[], grouping: number, trueTime: boolean): SvgFile {
  const rowHeight = Math.max(0.5, Math.min(14, HIGHEST / Math.max(1, order.length), Math.max(2, 640 / Math.max(1, order.length))));
  const height = Math.ceil(TOP + order.length * rowHeight + 16);
  const frame = svgElement("svg", { xmlns: "http://www.w3.org/2000/svg", "font-family": "system-ui, sans-serif", "font-size": 12,
    viewBox: `0 0 ${WIDTH} ${height}`, width: WIDTH, height, color: "var(--ink)", fill: "currentColor" });
  frame.append(svgElement("rect", { width: "100%", height: "100%", fill: "var(--paper)" }));
  frame.append(svgElement("text", { x: 16, y: 26, "font-size": 16, "font-weight": 600 }, shortened(rows.part.title, 90)));
  let x = 16;
  for (const group of groups) {
    const text = shortened(group.name, 40);
    frame.append(svgElement("rect", { x, y: 38, width: 12, height: 12, rx: 2, fill: `var(${group.variable})` }), svgElement("text", { x: x + 18, y: 49 }, text));
    x += 40 + 6.8 * text.length;
  }
  const times = rows.part.times;
  const right = 16 + contentWidth({ width: WIDTH - 32, height: 0, rowHeight: 1, zoom: 1, trueTime });
  frame.append(svgElement("text", { x: 16, y: 72, fill: "var(--soft)" }, formatTime(times[0])),
    svgElement("text", { x: right, y: 72, fill: "var(--soft)", "text-anchor": "end" }, formatTime(times[times.length - 1])));
  frame.append(...barPaths(rows, order, groups, grouping, trueTime, rowHeight));
  return { text: withColours(new XMLSerializer().serializeToString(frame)), width: WIDTH, height };
}
