// SPDX-License-Identifier: Apache-2.0

// The page: every section of the data becomes an element, in order.

import "./style.css";
import { readReport, type Report, type Section } from "./data";
import { element } from "./dom";
import { drawingSection } from "./drawing";
import { pageColours, type Colours } from "./looks";
import { figuresView, tableSection, textView } from "./parts";
import { plotSection } from "./plot";
import { strataSection } from "./strata";
import { shortened, shown } from "./words";

const CONTENTS_FROM = 5; // sections with titles

function sectionView(section: Section, colours: Colours): HTMLElement {
  switch (section.part) {
    case "text": return textView(section);
    case "figures": return figuresView(section);
    case "plot": return plotSection(section, colours);
    case "table": return tableSection(section);
    case "drawing": return drawingSection(section);
    case "strata": return strataSection(section);
  }
}

// One section that fails must not take the others with it.
function guarded(section: Section, colours: Colours): HTMLElement {
  try {
    return sectionView(section, colours);
  } catch (error) {
    console.error(error);
    return element("p", { class: "notice" }, `This part could not be drawn: ${String(error)}`);
  }
}

function contents(report: Report, views: HTMLElement[]): HTMLElement | null {
  const items = report.sections.flatMap((section, i) => {
    if (!("title" in section) || !section.title) return [];
    views[i].id = `part-${i + 1}`;
    return [element("li", {}, element("a", { href: `#part-${i + 1}` }, shortened(section.title, 60)))];
  });
  return items.length >= CONTENTS_FROM ? element("nav", { "aria-label": "Contents" }, element("ol", {}, ...items)) : null;
}

function show(report: Report): void {
  const colours = pageColours(report.sections);
  const views = report.sections.map((section) => guarded(section, colours));
  const list = contents(report, views);
  document.getElementById("report")!.append(...(list ? [list] : []), ...views);
  if (report.generated_by) document.body.append(element("footer", {}, "Made by ", element("code", {}, shown(report.generated_by))));
}

show(readReport());
