// SPDX-License-Identifier: Apache-2.0

// Counts of names by year as a map of shades: a row for each name, a column for each year.

import { element, svgElement } from "../dom";
import { shortName, widest } from "../words";
import type { Years } from "./api";

const ROW = 20;
const TOP = 22;

export function yearsMap(title: string, rows: { name: string; years: Years }[], span: [string, string], addressFor: (name: string) => string): HTMLElement {
  const place = element("div", { class: "picture years-map" });
  const [first, last] = span.map((time) => Number(time.slice(0, 4)));
  const years = Array.from({ length: Math.max(1, last - first + 1) }, (_, i) => first + i);
  const most = Math.max(1, ...rows.flatMap(({ years: counts }) => Object.values(counts)));
  let width = 0;
  function draw(): void {
    const letters = width < 560 ? 18 : 34;
    const names = rows.map(({ name }) => shortName(name, letters));
    const left = Math.ceil(widest(names)) + 10;
    const step = (width - left) / years.length;
    const high = TOP + rows.length * ROW;
    const svg = svgElement("svg", { class: "plot", width, height: high, viewBox: `0 0 ${width} ${high}`, role: "group", "aria-label": title });
    const every = Math.max(1, Math.ceil((years.length * 40) / (width - left)));
    years.forEach((year, i) => {
      if (i % every === 0) svg.append(svgElement("text", { x: left + (i + 0.5) * step, y: 14, "font-size": 12, "text-anchor": "middle", fill: "var(--soft)" }, String(year)));
    });
    rows.forEach(({ name, years: counts }, row) => {
      const link = svgElement("a", { href: addressFor(name) });
      link.append(svgElement("text", { x: left - 8, y: TOP + row * ROW + 14, "font-size": 12, "text-anchor": "end", fill: "var(--accent)" }, names[row]));
      svg.append(link, svgElement("rect", { x: left, y: TOP + row * ROW + 1, width: width - left, height: ROW - 2, fill: "var(--raised)" }));
      years.forEach((year, i) => {
        const count = counts[String(year).padStart(4, "0")] ?? 0;
        if (count === 0) return;
        const shade = 0.2 + 0.8 * (Math.log1p(count) / Math.log1p(most));
        const cell = svgElement("rect", { x: left + i * step + 0.5, y: TOP + row * ROW + 1, width: Math.max(1, step - 1), height: ROW - 2, fill: "var(--series-0)", "fill-opacity": shade.toFixed(2) });
        cell.append(svgElement("title", {}, `${shortName(name, 80)}, ${year}: ${count.toLocaleString("en-US")} links`));
        svg.append(cell);
      });
    });
    place.replaceChildren(svg);
  }
  new ResizeObserver(() => {
    if (place.clientWidth > 0 && place.clientWidth !== width) ((width = place.clientWidth), draw());
  }).observe(place);
  return element("div", {}, place, element("p", { class: "caption" }, `Links by year, of the ${rows.length === 1 ? "host" : `${rows.length} hosts`} with most of them; the stronger the colour, the more (on a logarithmic scale up to ${most.toLocaleString("en-US")}).`));
}
