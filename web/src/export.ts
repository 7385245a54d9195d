// SPDX-License-Identifier: Apache-2.0

// A picture as a file of its own: with its title and legend, and with colours instead of variables.

import { svgElement } from "./dom";
import { download } from "./download";
import type { Chart, Picture, View } from "./picture";
import { shortened } from "./words";

export interface SvgFile {
  text: string;
  width: number;
  height: number;
}

// Names beside their colours, in as many lines as they need. Returns the height.
function appendLegend(to: SVGElement, picture: Picture, view: View, top: number): number {
  if (picture.legend.length < 2) return 0;
  let [x, y] = [16, top + 12];
  picture.legend.forEach(({ name, look }, series) => {
    if (view.hidden.has(series)) return;
    const text = shortened(name, 40);
    const width = 40 + 6.8 * text.length;
    if (x + width > view.width && x > 16) [x, y] = [16, y + 20];
    to.append(svgElement("rect", { x, y: y - 10, width: 12, height: 12, rx: 2, fill: look.colour }));
    to.append(svgElement("text", { x: x + 18, y }, text));
    x += width;
  });
  return y - top + 14;
}

export function exportSvg(chart: Chart, picture: Picture, view: View): SvgFile {
  const copy = chart.cloneNode(true) as SVGSVGElement;
  copy.querySelectorAll('.brush, [aria-label="tip"]').forEach((part) => part.remove());
  const frame = svgElement("svg", { xmlns: "http://www.w3.org/2000/svg", "font-family": "system-ui, sans-serif", "font-size": 12 });
  const paper = svgElement("rect", { width: "100%", height: "100%", fill: "var(--paper)" });
  frame.append(paper, svgElement("text", { x: 16, y: 26, "font-size": 16, "font-weight": 600 }, shortened(picture.title, 90)));
  const top = 40 + appendLegend(frame, picture, view, 40);
  copy.setAttribute("y", String(top));
  frame.append(copy);
  const height = top + Number(chart.getAttribute("height"));
  frame.setAttribute("viewBox", `0 0 ${view.width} ${height}`);
  frame.setAttribute("width", String(view.width));
  frame.setAttribute("height", String(height));
  frame.setAttribute("color", "var(--ink)");
  frame.setAttribute("fill", "currentColor");
  return { text: withColours(new XMLSerializer().serializeToString(frame)), width: view.width, height };
}

export function withColours(svg: string): string {
  const style = getComputedStyle(document.documentElement);
  return svg.replace(/var\((--[a-z0-9-]+)\)/g, (whole, name) => style.getPropertyValue(name).trim() || whole);
}

export function downloadPng(name: string, svg: SvgFile): void {
  const image = new Image();
  image.onload = () => {
    const canvas = document.createElement("canvas");
    canvas.width = svg.width * 2;
    canvas.height = svg.height * 2;
    canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => blob && download(name, blob), "image/png");
  };
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg.text)}`;
}
