// SPDX-License-Identifier: Apache-2.0

// The frame around a picture: legend, zoom, its data, and files to take away.

import type { ScaleOptions } from "@observablehq/plot";
import { brush, middleOf, type Box } from "./brush";
import type { TablePart } from "./data";
import { button, element, svgElement } from "./dom";
import { downloadText, fileName } from "./download";
import type { Look } from "./looks";
import { caption, heading } from "./parts";
import { exportSvg, downloadPng } from "./export";
import type { Domain } from "./scales";
import { tableCsv, tableView } from "./table";
import { distinctNames, shortened, shown } from "./words";

export type Chart = SVGSVGElement & { scale(name: string): (ScaleOptions & { invert?(pixel: number): number | Date; apply?(value: number | Date): number; range?: unknown }) | undefined };

export interface View {
  width: number;
  hidden: Set<number>; // series that the reader switched off
  domain: { x: Domain; y: Domain } | null; // what the reader zoomed to
}

export interface Picture {
  title: string;
  caption: string;
  notice: string;
  table: TablePart;
  legend: { name: string; look: Look }[];
  lines: boolean;
  keepsShape: boolean; // one unit stays as long up as across
  draw(view: View): Chart | null;
}

const NARROWEST = 280;

// ---- legend -------------------------------------------------------------------------------------------

function swatch({ colour, dashes, quiet }: Look, isLine: boolean): SVGElement {
  const svg = svgElement("svg", { width: 22, height: 12, "aria-hidden": "true" });
  svg.append(isLine
    ? svgElement("line", { x1: 1, x2: 21, y1: 6, y2: 6, stroke: colour, "stroke-width": quiet ? 1.5 : 3, "stroke-dasharray": dashes })
    : svgElement("rect", { x: 4, y: 0, width: 12, height: 12, rx: 2, fill: colour }));
  return svg;
}

function legendView(picture: Picture, view: View, redraw: () => void): HTMLElement | null {
  if (picture.legend.length < 2) return null;
  // Lines have their names beside them; there the legend is for switching them off.
  const names = distinctNames(picture.legend.map((entry) => entry.name), picture.lines ? 24 : 60);
  const entries = picture.legend.map(({ name, look }, series) => {
    const entry = button("", `Show or hide ${shortened(name, 80)}`, () => {
      if (!view.hidden.delete(series)) view.hidden.add(series);
      entry.setAttribute("aria-pressed", String(!view.hidden.has(series)));
      redraw();
    });
    entry.setAttribute("aria-pressed", "true");
    entry.append(swatch(look, picture.lines), element("bdi", {}, names[series]));
    return entry;
  });
  const quiet = entries.filter((_, series) => picture.legend[series].look.quiet);
  for (const entry of quiet) entry.hidden = true;
  const more = button(`${quiet.length} in grey \u25b8`, "Show the names of the grey lines", () => {
    more.hidden = true;
    for (const entry of quiet) entry.hidden = false;
    quiet[0].focus();
  });
  return element("div", { class: "legend", role: "group", "aria-label": "Series" }, ...entries, quiet.length > 0 ? more : null);
}

// ---- zoom -----------------------------------------------------------------------------------------------

const toSeconds = (value: number | Date) => (value instanceof Date ? value.getTime() / 1000 : value);

// The part of the axes that lies under a box of pixels.
function domainUnder(chart: Chart, box: Box): { x: Domain; y: Domain } {
  const [x, y] = [chart.scale("x")!, chart.scale("y")!];
  const under = (scale: typeof x, a: number, b: number): Domain => {
    const ends = [toSeconds(scale.invert!(a)), toSeconds(scale.invert!(b))];
    return [Math.min(...ends), Math.max(...ends)];
  };
  return { x: under(x, box.left, box.right), y: under(y, box.top, box.bottom) };
}

// ---- the whole ------------------------------------------------------------------------------------------

export function pictureSection(picture: Picture): HTMLElement {
  const view: View = { width: 0, hidden: new Set(), domain: null };
  const zooms: View["domain"][] = [];
  const place = element("div", { class: "picture", role: "group", "aria-label": shown(picture.title) || "picture" });
  const table = element("div", { class: "data" });
  table.hidden = true;
  let chart: Chart | null = null;

  function draw(): void {
    chart = picture.draw(view);
    if (chart) {
      chart.setAttribute("role", "img");
      chart.querySelectorAll("g[aria-label]").forEach((part) => part.setAttribute("role", "group")); // a label needs a role
      chart.setAttribute("aria-label", shown(`${picture.title}. ${picture.caption}`));
      brush(chart, picture.keepsShape, (box) => zoomTo(domainUnder(chart!, box)), () => zoomOut(true));
    }
    place.replaceChildren(chart ?? element("p", { class: "notice" }, "There is nothing to show here."));
    out.disabled = zooms.length === 0;
    into.disabled = chart === null;
  }
  function zoomTo(domain: View["domain"]): void {
    zooms.push(view.domain);
    view.domain = domain;
    draw();
  }
  function zoomOut(altogether: boolean): void {
    if (zooms.length === 0) return;
    const before = altogether ? null : zooms.pop()!;
    if (altogether) zooms.length = 0;
    view.domain = before;
    draw();
  }
  function showTable(): void {
    if (!table.hasChildNodes()) table.append(tableView(picture.table, false));
    table.hidden = !table.hidden;
    data.setAttribute("aria-expanded", String(!table.hidden));
  }

  const into = button("+", "Zoom in (or drag over the picture)", () => chart && zoomTo(domainUnder(chart, middleOf(chart))));
  const out = button("\u2212", "Zoom out (or double-click)", () => zoomOut(false));
  into.setAttribute("aria-label", "Zoom in");
  out.setAttribute("aria-label", "Zoom out");
  const data = button("Data", "Show the numbers as a table", showTable);
  data.setAttribute("aria-expanded", "false");
  const svg = () => exportSvg(chart!, picture, view);
  const tools = element("div", { class: "tools" }, into, out, data,
    button("CSV", "Download the data as CSV", () => tableCsv(picture.table)),
    button("SVG", "Download the picture as SVG", () => chart && downloadText(fileName(picture.title, "svg"), "image/svg+xml", svg().text)),
    button("PNG", "Download the picture as PNG", () => chart && downloadPng(fileName(picture.title, "png"), svg())));

  new ResizeObserver(() => {
    const width = Math.max(NARROWEST, Math.floor(place.clientWidth));
    if (place.clientWidth === 0 || width === view.width) return;
    view.width = width;
    draw();
  }).observe(place);

  const bar = element("div", { class: "bar" }, legendView(picture, view, draw) ?? element("span"), tools);
  return element("section", { class: "figure" }, heading(picture.title), bar, place, caption(picture.caption),
    picture.notice ? element("p", { class: "caption" }, picture.notice) : null, table);
}
