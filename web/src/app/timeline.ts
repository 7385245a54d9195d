// SPDX-License-Identifier: Apache-2.0

// Counts over time as rows of bars with one axis, and a brush that sets the period. The two lists below do the same with the keyboard.

import { button, element, svgElement } from "../dom";
import { shown } from "../words";
import type { Counts } from "./api";

const ROWS: { name: string; of: (counts: Counts) => number; colour: string }[] = [
  { name: "captures", of: (one) => one.captures, colour: "var(--series-0)" },
  { name: "new pages", of: (one) => one.new_pages, colour: "var(--series-6)" },
  { name: "links born", of: (one) => one.births, colour: "var(--series-2)" },
  { name: "links died", of: (one) => one.deaths, colour: "var(--series-1)" },
];
const ROW = 64;
const LEFT = 4;

// Periods in order, the empty ones between them too.
export function periodsOf(found: Record<string, Counts>): string[] {
  const names = Object.keys(found).sort();
  if (names.length === 0) return [];
  const [first, last] = [names[0], names[names.length - 1]];
  const periods = [];
  for (let [year, month] = first.split("-").map(Number); periods.length < 2000; ) {
    const name = first.length === 4 ? String(year).padStart(4, "0") : `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}`;
    if (name > last) break;
    periods.push(name);
    if (first.length === 4 || month === 12) [year, month] = [year + 1, 1];
    else month += 1;
  }
  return periods;
}

const NOTHING: Counts = { captures: 0, new_pages: 0, births: 0, deaths: 0 };

function drawn(found: Record<string, Counts>, periods: string[], width: number, chosen: [number, number] | null): SVGElement {
  const svg = svgElement("svg", { class: "plot timeline", width, height: ROWS.length * ROW + 22, viewBox: `0 0 ${width} ${ROWS.length * ROW + 22}`, role: "img",
    "aria-label": `Captures, new pages, links born and links died from ${periods[0]} to ${periods[periods.length - 1]}` });
  const step = (width - 2 * LEFT) / periods.length;
  if (chosen) svg.append(svgElement("rect", { class: "brush", x: LEFT + chosen[0] * step, y: 0, width: (chosen[1] - chosen[0] + 1) * step, height: ROWS.length * ROW }));
  ROWS.forEach(({ name, of, colour }, row) => {
    const most = Math.max(1, ...periods.map((period) => of(found[period] ?? NOTHING)));
    const bottom = (row + 1) * ROW - 4;
    svg.append(svgElement("line", { x1: 0, x2: width, y1: bottom, y2: bottom, stroke: "var(--line)" }));
    periods.forEach((period, i) => {
      const value = of(found[period] ?? NOTHING);
      const height = (value / most) * (ROW - 26);
      if (value === 0) return;
      const bar = svgElement("rect", { x: LEFT + i * step + Math.min(1, step * 0.1), y: bottom - Math.max(1, height), width: Math.max(1, step - Math.min(2, step * 0.2)), height: Math.max(1, height), fill: colour });
      bar.append(svgElement("title", {}, `${period}: ${value.toLocaleString("en-US")} ${name}`));
      svg.append(bar);
    });
    svg.append(svgElement("text", { x: 4, y: row * ROW + 13, "font-size": 12, fill: "var(--soft)" }, `${name}, at most ${most.toLocaleString("en-US")}`));
  });
  const every = Math.max(1, Math.ceil((periods.length * 60) / width));
  periods.forEach((period, i) => {
    if (i % every !== 0) return;
    const x = LEFT + (i + 0.5) * step;
    const [isFirst, isLast] = [i === 0 && step < 40, x + 26 > width];
    svg.append(svgElement("text", { x: isFirst ? LEFT : isLast ? width : x, y: ROWS.length * ROW + 14, "font-size": 12, "text-anchor": isFirst ? "start" : isLast ? "end" : "middle", fill: "var(--soft)" }, period));
  });
  return svg;
}

export function timeline(found: Record<string, Counts>, during: string, choose: (during: string) => void): HTMLElement {
  const periods = periodsOf(found);
  if (periods.length === 0) return element("p", { class: "notice" }, "Nothing was captured.");
  const place = element("div", { class: "picture" });
  const [from, to] = during.includes("..") ? during.split("..") : [during, during];
  const begin = periods.findIndex((period) => period >= from.slice(0, period.length));
  const after = to ? periods.filter((period) => period <= `${to}~`).length : periods.length;
  const chosen: [number, number] | null = during ? [Math.max(0, begin), Math.max(0, after - 1)] : null;
  const pick = (a: number, b: number) => choose(a === 0 && b === periods.length - 1 ? "" : a === b ? periods[a] : `${periods[a]}..${periods[b]}`);
  let width = 0;
  function draw(): void {
    const svg = drawn(found, periods, width, chosen);
    const index = (event: PointerEvent) => {
      const box = svg.getBoundingClientRect();
      return Math.max(0, Math.min(periods.length - 1, Math.floor(((event.clientX - box.left - LEFT) / (box.width - 2 * LEFT)) * periods.length)));
    };
    const mark = svgElement("rect", { class: "brush", y: 0, height: ROWS.length * ROW });
    let start: number | null = null;
    svg.addEventListener("pointerdown", (event) => {
      start = index(event as PointerEvent);
      (svg as Element).setPointerCapture((event as PointerEvent).pointerId);
    });
    svg.addEventListener("pointermove", (event) => {
      if (start === null) return;
      const [a, b] = [start, index(event as PointerEvent)].sort((p, q) => p - q);
      const step = (width - 2 * LEFT) / periods.length;
      mark.setAttribute("x", String(LEFT + a * step));
      mark.setAttribute("width", String((b - a + 1) * step));
      if (!mark.parentNode) svg.append(mark);
    });
    svg.addEventListener("pointerup", (event) => {
      if (start === null) return;
      const [a, b] = [start, index(event as PointerEvent)].sort((p, q) => p - q);
      start = null;
      pick(a, b);
    });
    place.replaceChildren(svg);
  }
  new ResizeObserver(() => {
    if (place.clientWidth > 0 && place.clientWidth !== width) ((width = place.clientWidth), draw());
  }).observe(place);
  const list = (label: string, index: number) => {
    const select = element("select", { "aria-label": label }, ...periods.map((period, i) => element("option", i === index ? { selected: "" } : {}, period)));
    return select;
  };
  const first = list("Period from", chosen?.[0] ?? 0);
  const last = list("Period to", chosen?.[1] ?? periods.length - 1);
  const change = () => pick(Math.min(first.selectedIndex, last.selectedIndex), Math.max(first.selectedIndex, last.selectedIndex));
  first.addEventListener("change", change);
  last.addEventListener("change", change);
  return element("section", { class: "figure" }, element("h2", {}, "Over time"),
    element("div", { class: "tools" }, element("span", { class: "count" }, "Period"), first, "to", last, button("All", "Show all time", () => choose("")),
      during ? element("span", { class: "count" }, `Chosen: ${shown(during)}`) : null),
    place, element("p", { class: "caption" }, "Drag over the bars to choose a period for all views. A link is born with a capture that has it after one that lacks it, and dies with the first that lacks it again."));
}
