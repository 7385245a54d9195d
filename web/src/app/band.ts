// SPDX-License-Identifier: Apache-2.0

// The state of a page over time as a band, with a mark for each capture.

import { element, svgElement } from "../dom";
import { day } from "./frame";
import type { Page } from "./api";

const COLOURS: Record<string, string> = { present: "var(--series-2)", moved: "var(--series-5)", gone: "var(--series-7)" };
const HIGH = 26;

export function band(page: Page, captures: string[], span: [string, string]): HTMLElement {
  const place = element("div", { class: "picture band" });
  const [start, end] = span.map((time) => Date.parse(time));
  const names = page.states.map(({ state, since, until }) => `${state} ${day(since)}${until.slice(0, 10) === since.slice(0, 10) ? "" : ` to ${day(until)}`}`);
  let width = 0;
  function draw(): void {
    const x = (time: string) => (end > start ? 4 + ((Date.parse(time) - start) / (end - start)) * (width - 10) : width / 2);
    const svg = svgElement("svg", { class: "plot", width, height: HIGH + 44, viewBox: `0 0 ${width} ${HIGH + 44}`, role: "img", "aria-label": `State over time: ${names.slice(0, 20).join("; ") || "not seen"}` });
    svg.append(svgElement("rect", { x: 0, y: 14, width, height: HIGH, fill: "var(--raised)", stroke: "var(--line)", rx: 3 }));
    page.states.forEach(({ state, since, until }, i) => {
      const bar = svgElement("rect", { x: x(since), y: 15, width: Math.max(4, x(until) - x(since) + 2), height: HIGH - 2, fill: COLOURS[state] ?? "var(--quiet)" });
      bar.append(svgElement("title", {}, names[i]));
      svg.append(bar);
    });
    const marks = captures.map((time) => `M${x(time).toFixed(1)} 3v8`).join("");
    svg.append(svgElement("path", { d: marks, stroke: "var(--ink)", "stroke-width": 1.5, fill: "none" }));
    svg.append(svgElement("text", { x: 0, y: HIGH + 32, "font-size": 12, fill: "var(--soft)" }, day(span[0])),
      svgElement("text", { x: width - 2, y: HIGH + 32, "font-size": 12, "text-anchor": "end", fill: "var(--soft)" }, day(span[1])));
    place.replaceChildren(svg);
  }
  new ResizeObserver(() => {
    if (place.clientWidth > 0 && place.clientWidth !== width) ((width = place.clientWidth), draw());
  }).observe(place);
  const legend = [...Object.entries(COLOURS), ["not seen", "var(--raised)"]].map(([name, colour]) => {
    const swatch = element("span", { class: "swatch" });
    swatch.style.background = colour;
    return element("span", { class: "key" }, swatch, name);
  });
  return element("section", {}, element("h2", {}, "State over time"), element("div", { class: "legend" }, ...legend, element("span", { class: "key" }, "| a capture")), place,
    element("p", { class: "caption" }, "A bar lasts as long as the sightings agree; between bars nothing was seen."));
}
