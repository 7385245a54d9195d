// SPDX-License-Identifier: Apache-2.0

// The page that `webstrata serve` shows: a header, and the view that the address names.

import "../style.css";
import "./app.css";
import { element, svgElement } from "../dom";
import { heading } from "../parts";
import { shortened, shown } from "../words";
import { addressOf, go, onArrival, placeNow } from "./address";
import { ask, type Archives } from "./api";
import { diff } from "./diff";
import { awayView, type Context, type ViewParts } from "./frame";
import { host } from "./host";
import { overview } from "./overview";
import { page } from "./page";
import { ranks } from "./ranks";
import { runs } from "./runs";
import { searchBox } from "./search";
import { web } from "./web";

const VIEWS: Record<string, (context: Context) => Promise<ViewParts>> = { "": overview, page, host, web, diff, ranks, runs };
const NAVIGATION: [string, string][] = [["", "Overview"], ["web", "Web at a date"], ["diff", "Diff"], ["ranks", "Ranks"], ["runs", "Runs"]];

let archives: Archives["archives"] = [];
let now: Context | null = null;
let arrivals = 0;

const main = element("main", { id: "view" });
const navigation = element("nav", { "aria-label": "Views" });

function contextNow(): Context | null {
  const place = placeNow();
  const archive = archives.find(({ name }) => name === (place.archive || archives[0]?.name));
  return archive ? { place, archive: archive.name, span: archive.span, during: place.words.get("during") ?? "" } : null;
}

function showNavigation(context: Context): void {
  const links = NAVIGATION.map(([view, name]) => element("a", { href: addressOf(context.archive, view, { during: context.during }), ...(context.place.view === view ? { "aria-current": "page" } : {}) }, name));
  const choose = element("select", { "aria-label": "Archive" }, ...archives.map(({ name }) => element("option", name === context.archive ? { selected: "" } : {}, name)));
  choose.addEventListener("change", () => go(addressOf(choose.value, "")));
  const period = context.during ? element("span", { class: "period" }, `Period ${shown(context.during)} `, element("a", { href: addressOf(context.archive, context.place.view, { ...Object.fromEntries(context.place.words), during: "" }) }, "all time")) : null;
  navigation.replaceChildren(...links, ...(archives.length > 1 ? [choose] : []), ...(period ? [period] : []));
}

// A long URL breaks after its slashes first.
function breakable(text: string): (Node | string)[] {
  return text.split(/(?<=\/)(?!\/)/).flatMap((part, i) => (i > 0 ? [element("wbr"), part] : [part]));
}

function fill(view: ViewParts): void {
  document.title = `${shortened(view.title, 80)} – webstrata`;
  const title = element("h1", { tabindex: "-1" }, element("bdi", {}, ...breakable(shortened(view.title, 300))));
  main.replaceChildren(title, element("p", { class: "result" }, shown(view.sentence)), ...view.parts.filter((part): part is Node => part !== null));
  main.querySelector(".result")!.after(awayView(view.away, main));
  if (arrivals > 1) title.focus({ preventScroll: true });
}

function fail(error: unknown): void {
  const sentence = error instanceof Error ? error.message : String(error);
  document.title = "webstrata";
  main.replaceChildren(element("h1", { tabindex: "-1" }, "This cannot be shown"), element("p", { class: "notice", role: "alert" }, shortened(sentence, 600)));
}

async function arrive(): Promise<void> {
  const number = (arrivals += 1);
  now = contextNow();
  if (!now) return fail(new Error("There is no such archive here."));
  showNavigation(now);
  main.setAttribute("aria-busy", "true");
  try {
    const view = VIEWS[now.place.view];
    if (!view) throw new Error(`There is no view called ${now.place.view}.`);
    const shownView = await view(now);
    if (number !== arrivals) return; // the reader went on
    fill(shownView);
    window.scrollTo(0, 0);
  } catch (error) {
    if (number === arrivals) fail(error);
  }
  main.removeAttribute("aria-busy");
}

// Layers, each with its own beginning and end.
function mark(): SVGElement {
  const svg = svgElement("svg", { width: 20, height: 20, viewBox: "0 0 20 20", "aria-hidden": "true" });
  [[0, 12, 0], [3, 17, 6], [6, 9, 2], [9, 11, 1]].forEach(([x, width, colour], i) => svg.append(svgElement("rect", { x, y: 1 + i * 5, width: Math.min(width, 20 - x), height: 3.5, rx: 1, fill: `var(--series-${colour})` })));
  return svg;
}

async function start(): Promise<void> {
  const header = element("header", { class: "top" }, element("a", { class: "brand", href: "a/" }, mark(), "webstrata"), navigation, searchBox(() => now));
  document.body.append(element("a", { class: "skip", href: "#view" }, "Skip to the view"), header, main);
  main.append(heading("Loading\u2026")!);
  try {
    archives = (await ask<Archives>("archives")).archives;
  } catch (error) {
    return fail(error);
  }
  onArrival(() => void arrive());
  await arrive();
}

void start();
