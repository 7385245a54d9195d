// SPDX-License-Identifier: Apache-2.0

// The simple parts of a page: texts, figures, and the frame around a table or a picture.

import type { FiguresPart, TablePart, TextPart } from "./data";
import { element } from "./dom";
import { tableView } from "./table";
import { shortened, shown } from "./words";

export function heading(title: string): HTMLElement | null {
  return title ? element("h2", {}, element("bdi", {}, shortened(title, 160))) : null;
}

export function caption(text: string): HTMLElement | null {
  return text ? element("p", { class: "caption" }, shown(text)) : null;
}

export function textView(part: TextPart): HTMLElement {
  const paragraphs = part.text.split(/\n\s*\n/).filter((text) => text.trim());
  return element("section", { class: "text" }, heading(part.title), ...paragraphs.map((text) => element("p", {}, shown(text))));
}

export function figuresView(part: FiguresPart): HTMLElement {
  const figures = part.figures.map((figure) =>
    element("div", {},
      element("dt", {}, shortened(figure.label, 60)),
      element("dd", { class: "value" }, shortened(figure.value, 40)),
      figure.note ? element("dd", { class: "note" }, shortened(figure.note, 120)) : null));
  return element("dl", { class: "figures" }, ...figures);
}

export function tableSection(part: TablePart): HTMLElement {
  return element("section", {}, heading(part.title), caption(part.caption), tableView(part));
}
