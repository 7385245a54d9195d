// SPDX-License-Identifier: Apache-2.0

// What all views share: the frame of a view, and the same question as a command, in Python and as an API call.

import { toCsv } from "../csv";
import type { TablePart } from "../data";
import { button, element, svgElement } from "../dom";
import { downloadText, fileName } from "../download";
import { downloadPng, withColours, type SvgFile } from "../export";
import { shortened, shown } from "../words";
import type { Place } from "./address";
import { apiAddress, type Words } from "./api";

export interface Context {
  place: Place;
  archive: string;
  span: [string, string] | null; // of the archive
  during: string; // the period, or empty
}

export interface ViewParts {
  title: string;
  sentence: string;
  parts: (Node | null)[];
  away: Away;
}

export interface Away {
  command: string;
  python: string;
  route: string;
  words?: Words;
  table: TablePart | null | (() => TablePart | null); // some are read later
  picture: (() => SvgFile | null) | null;
}

// A word for a shell, in quotes if it needs them.
export function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

export const inPython = (text: string) => JSON.stringify(text);

function line(name: string, text: string): HTMLElement {
  const copy = button("Copy", `Copy ${name}`, () => {
    void navigator.clipboard?.writeText(text).then(() => (copy.textContent = "Copied"));
  });
  return element("div", { class: "away-line" }, element("span", {}, name), element("code", {}, shortened(text, 600)), copy);
}

// The picture of the view's first section; its own buttons do the same.
function firstPicture(root: HTMLElement, name: string): void {
  const press = [...root.querySelectorAll<HTMLButtonElement>("section.figure .tools button")].find((one) => one.textContent === name);
  if (press) return press.click();
  const svg = root.querySelector<SVGSVGElement>("svg.plot");
  if (svg) saved(name, drawnFile(svg));
}

function drawnFile(svg: SVGSVGElement): SvgFile {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  copy.querySelectorAll(".brush").forEach((part) => part.remove());
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("font-family", "system-ui, sans-serif");
  copy.setAttribute("fill", "var(--ink)");
  copy.prepend(svgElement("rect", { width: "100%", height: "100%", fill: "var(--paper)" }));
  return { text: withColours(new XMLSerializer().serializeToString(copy)), width: svg.clientWidth, height: svg.clientHeight };
}

function saved(name: string, file: SvgFile): void {
  if (name === "SVG") downloadText("picture.svg", "image/svg+xml", file.text);
  else downloadPng("picture.png", file);
}

export function awayView(away: Away, root: HTMLElement): HTMLElement {
  const { picture } = away;
  const hasPicture = picture !== null || root.querySelector("section.figure, .picture") !== null;
  const tableNow = () => (typeof away.table === "function" ? away.table() : away.table);
  const csv = () => {
    const table = tableNow();
    if (table) downloadText(fileName(table.title, "csv"), "text/csv", toCsv(table.columns, table.rows));
  };
  const save = (name: string) => {
    const file = picture?.();
    if (file) saved(name, file);
    else firstPicture(root, name);
  };
  const address = new URL(apiAddress(away.route, away.words), document.baseURI).href;
  return element("details", { class: "away" }, element("summary", {}, "Export: data, picture, and the same question elsewhere"),
    element("div", { class: "tools" },
      tableNow() ? button("Data as CSV", "Download the data of this view as CSV", csv) : null,
      hasPicture ? button("Picture as SVG", "Download the picture of this view as SVG", () => save("SVG")) : null,
      hasPicture ? button("Picture as PNG", "Download the picture of this view as PNG", () => save("PNG")) : null),
    line("Command line", away.command), line("Python", away.python), line("API", address));
}

export const day = (time: string | null | undefined) => (time ? time.slice(0, 10) : "\u2013");
export const plural = (count: number, one: string, many = `${one}s`) => `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
export const inPeriod = (during: string) => (during ? ` in the period ${during.replace("..", " to ")}` : "");

// "2021..2022-06" as the first and last moment, as texts that compare.
export function boundsOf(during: string): [string, string] {
  const [from, to] = during.includes("..") ? during.split("..") : [during, during];
  return [from || "0000", to ? `${to}~` : "9999"];
}

export const isInPeriod = (time: string, during: string) => {
  const [from, to] = boundsOf(during);
  return time >= from.slice(0, time.length) && time <= to;
};

// The last day of the period, or of the archive; the first day likewise.
export const lastDay = ({ span, during }: Context) => (during.includes("..") ? during.split("..")[1] : during) || day(span?.[1]);
export const firstDay = ({ span, during }: Context) => (during.includes("..") ? during.split("..")[0] : during) || day(span?.[0]);

// Title and sentence of a view that changes in place.
export function retitle(title: string, sentence: string): void {
  document.title = `${shortened(title, 80)} \u2013 webstrata`;
  const [heading, result] = [document.querySelector("main h1 bdi"), document.querySelector("main .result")];
  if (heading) heading.textContent = shortened(title, 300);
  if (result) result.textContent = shown(sentence);
}

export function notice(text: string): HTMLElement {
  return element("p", { class: "notice" }, text);
}
