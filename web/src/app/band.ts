// SPDX-License-Identifier: Apache-2.0

// The state of a page over time as a band, with a mark for each capture.

import { element, svgElement } from "../dom";
import { day } from "./frame";
import type { Page } from "./api";

const COLOURS: Record<string, string> = { present: "var(--series-2)", moved: "var(--series-5)", gone: "var(--series-7)" };
const MARKS = 14; // pixels of the marks above the band
const BAND = 26;
const HIGH = MARKS + BAND + 24;

function yearTicks(start: number, end: number, most: number): number[] {
  const [first, last] = [new Date(start).getUTCFullYear() + 1, new Date(end).getUTCFullYear()];
  const step = [1, 2, 5, 10, 20, 50].find((years) => (last - first) / years <= most) ?? 100;
  const years = [];
  for (let year = Math.ceil(first / step) * step; year <= last; year += step) years.push(year);
  return years;
}

export function band(page: Page, captures: string[], span: [string, string]): HTMLElement {
  const place = element("div", { class: "picture band" });
  const [start, end] = span.map((time) => Date.parse(time));
  const names = page.states.map(({ state, since, until }) => `${state} ${day(since)}${until.slice(0, 10) === since.slice(0, 10) ? "" : ` to ${day(until)}`}`);
  let width = 0;
  function draw(): void {
    const at = (time: number) => (end > start ? 4 + ((time - start) / (end - start)) * (width - 10) : width / 2);
    const x = (time: string) => at(Date.parse(time));
    const svg = svgElement("svg", { class: "plot", width, height: HIGH, viewBox: `0 0 ${width} ${HIGH}`, role: "img", "aria-label": `State over time: ${names.slice(0, 20).join("; ") || "not seen"}` });
    svg.append(svgElement("rect", { x: 0.5, y: MARKS + 0.5, width: width - 1, height: BAND - 1, fill: "var(--raised)", stroke: "var(--line)", rx: 3 }));
    page.states.forEach(({ state, since, until }, i) => {
      const bar = svgElement("rect", { x: x(since) - 1, y: MARKS + 1, width: Math.max(3, x(until) - x(since) + 2), height: BAND - 2, fill: COLOURS[state] ?? "var(--quiet)", rx: 1.5 });
      bar.append(svgElement("title", {}, names[i]));
      svg.append(bar);
    });
    const marks = captures.map((time) => `M${x(time).toFixed(1)} 3v9`).join("");
    svg.append(svgElement("path", { d: marks, stroke: "var(--ink)", "stroke-width": captures.length > width / 3 ? 0.5 : 1.5, fill: "none" }));
    const text = (left: number, words: string, anchor: string) => svg.append(svgElement("text", { x: left, y: HIGH - 6, "font-size": 12, "text-anchor": anchor, fill: "var(--soft)" }, words));
    text(0, day(span[0]), "start");
    text(width - 1, day(span[1]), "end");
    for (const year of yearTicks(start, end, Math.max(1, (width - 200) / 60))) {
      const left = at(Date.UTC(year, 0, 1));
      if (left < 100 || left > width - 100) continue;
      svg.append(svgElement("line", { x1: left, x2: left, y1: MARKS + BAND, y2: MARKS + BAND + 4, stroke: "var(--quiet)" }));
      text(left, String(year), "middle");
    }
    place.replaceChildren(svg);
  }
  new ResizeObserver(() => {
    if (place.clientWidth > 0 && place.clientWidth !== width) ((width = place.clientWidth), draw());
  }).observe(place);
  const seen = new Set(page.states.map(({ state }) => state));
  const legend = [...Object.entries(COLOURS).filter(([name]) => seen.has(name)), ["not seen", "var(--raised)"]].map(([name, colour]) => {
    const swatch = element("span", { class: "swatch" });
    swatch.style.background = colour;
    return element("span", { class: "key" }, swatch, name);
  });
  const mark = element("span", { class: "key" }, element("span", { class: "tick" }), "a capture");
  return element("section", {}, element("h2", {}, "State over time"), element("div", { class: "legend" }, ...legend, mark), place,
    element("p", { class: "caption" }, "A bar lasts as long as the sightings agree; between bars nothing was seen."));
}
