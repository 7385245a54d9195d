// SPDX-License-Identifier: Apache-2.0

// A network on a canvas: sizes by score, names of the largest nodes; drag to move, pinch or the buttons to zoom, arrow keys to go
// from node to node. The table next to it has the same for readers without a picture.

import { button, element, svgElement } from "../dom";
import { withColours, type SvgFile } from "../export";
import { shortName, widest } from "../words";
import type { Network } from "./api";
import { NetworkScene, type Point } from "./network_scene";

const NAMED = 24;
const LINES_MOVING = 2500; // links drawn while nodes move
const MANY = 400; // nodes
const NARROW = 560;
const ZOOM = { least: 0.2, most: 12, step: 1.4 };

// Colours of nodes; the first is for those without a group.
export interface Groups {
  names: string[];
  colours: string[]; // variables of style.css
  of: (index: number) => number;
}
const ONE: Groups = { names: [], colours: ["--series-0"], of: () => 0 };

export interface Graph {
  place: HTMLElement;
  picture: () => SvgFile | null;
  show: (network: Network, groups?: Groups) => void;
}

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

class GraphView {
  private readonly canvas = element("canvas", { "aria-hidden": "true" });
  private readonly stage: HTMLElement;
  private readonly detail = element("p", { class: "detail" }, "Point at a node to see its name, or move with the arrow keys; click or Enter opens it.");
  private readonly spoken = element("p", { class: "unseen", role: "status" });
  private readonly legend = element("div", { class: "legend" });
  readonly place: HTMLElement;
  private readonly scene = new NetworkScene();
  private groups = ONE;
  private hovered: Point | null = null;
  private readonly view = { x: 0, y: 0, scale: 1 };
  private width = 0;
  private high = 0;
  private isMoved = false; // by the reader: it stays as it is
  private isRunning = false;
  private inks: Record<string, string> = {};
  private readonly widths = new Map<string, number>();
  private readonly byHost = new Map<string, number>();

  constructor(label: string, private readonly open: (name: string) => void) {
    this.stage = element("div", { class: "network", tabindex: "0", role: "application", "aria-label": `${label}. Arrow keys go from node to node, Enter opens one, plus and minus zoom, 0 shows all.` }, this.canvas);
    const zoom = (text: string, hint: string, press: () => void) => {
      const made = button(text, hint, press);
      made.setAttribute("aria-label", hint);
      return made;
    };
    const tools = element("div", { class: "tools corner" }, zoom("+", "Zoom in", () => this.zoomBy(ZOOM.step)), zoom("\u2212", "Zoom out", () => this.zoomBy(1 / ZOOM.step)), zoom("Fit", "Show all", () => this.fitAgain()));
    this.place = element("div", { class: "graph" }, this.legend, element("div", { class: "around" }, this.stage, tools), this.detail, this.spoken);
    this.listen();
  }

  // ---- places ----

  // Once a frame: asking the document for each node would be slow.
  private measure(): void {
    [this.width, this.high] = [this.stage.clientWidth, this.stage.clientHeight];
  }
  private x(point: Point): number {
    return this.width / 2 + this.view.x + point.x * this.view.scale;
  }
  private y(point: Point): number {
    return this.high / 2 + this.view.y + point.y * this.view.scale;
  }

  private fit(): void {
    this.measure();
    const { left, right, top, bottom } = this.scene.bounds();
    if (!(right >= left)) return;
    const isNarrow = this.width < NARROW;
    const across = Math.max(80, this.width - (isNarrow ? 40 : 190)); // names need room
    this.view.scale = Math.min(3, across / Math.max(1, right - left), (this.high - 56) / Math.max(1, bottom - top));
    this.view.x = (-(left + right) / 2) * this.view.scale - (isNarrow ? 0 : 55);
    this.view.y = (-(top + bottom) / 2) * this.view.scale;
  }

  private fitAgain(): void {
    this.isMoved = false;
    this.fit();
    this.draw();
  }

  // The point at (x, y) of the stage stays where it is.
  private zoomBy(by: number, x = this.width / 2, y = this.high / 2): void {
    const scale = Math.min(ZOOM.most, Math.max(ZOOM.least, this.view.scale * by));
    const ratio = scale / this.view.scale;
    this.view.x = (this.view.x + this.width / 2 - x) * ratio + x - this.width / 2;
    this.view.y = (this.view.y + this.high / 2 - y) * ratio + y - this.high / 2;
    this.view.scale = scale;
    this.isMoved = true;
    this.draw();
  }

  // ---- drawing ----

  private readInks(): void {
    const style = getComputedStyle(document.documentElement);
    for (const name of ["--paper", "--ink", "--quiet", "--series-1", ...this.groups.colours]) this.inks[name] = style.getPropertyValue(name).trim();
  }

  private hostOf(name: string): string {
    return /^https?:\/\/([^/]*)\//i.exec(name)?.[1] ?? "";
  }

  // Of pages on the commonest host, what follows the host.
  private labelOf(name: string, letters: number): string {
    const host = this.hostOf(name);
    const own = this.byHost.get(host) ?? 0;
    const isHome = host !== "" && [...this.byHost.values()].every((count) => count <= own);
    return shortName(isHome ? name.slice(name.indexOf(host) + host.length) : name, letters);
  }

  private widthOf(text: string): number {
    const known = this.widths.get(text);
    if (known !== undefined) return known;
    const width = widest([text]);
    this.widths.set(text, width);
    return width;
  }

  // Names of the largest nodes, as long as they do not cover each other.
  private namesShown(): { text: string; x: number; y: number }[] {
    const taken: { x: number; y: number; right: number }[] = [];
    const found = [];
    const named = this.scene.present.sort((a, b) => Number(b === this.hovered) - Number(a === this.hovered) || b.radius - a.radius).slice(0, Math.round(NAMED * Math.max(1, this.view.scale)));
    for (const point of named) {
      const [left, y] = [this.x(point) + point.radius + 3, this.y(point) + 4];
      if (left < 0 || left > this.width + 40 || y < 0 || y > this.high + 10) continue;
      const text = this.labelOf(point.name, point === this.hovered ? 60 : 34);
      const width = this.widthOf(text);
      const x = Math.max(2, Math.min(left, this.width - width - 4));
      if (taken.some((other) => Math.abs(other.y - y) < 14 && x < other.right + 4 && other.x < x + width + 4)) continue;
      taken.push({ x, y, right: x + width });
      found.push({ text, x, y });
    }
    return found;
  }

  private draw(): void {
    this.measure();
    const ratio = Math.min(2, devicePixelRatio || 1);
    if (this.width === 0) return;
    const [wide, high] = [Math.round(this.width * ratio), Math.round(this.high * ratio)];
    if (this.canvas.width !== wide || this.canvas.height !== high) [this.canvas.width, this.canvas.height] = [wide, high];
    const context = this.canvas.getContext("2d")!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.width, this.high);
    this.drawLines(context);
    this.drawPoints(context);
    this.drawNames(context);
  }

  // One path for each shade: links that stay, and a few steps of those that fade. While nodes move, a part of very many links will do.
  private drawLines(context: CanvasRenderingContext2D): void {
    const { lines } = this.scene;
    const every = this.isRunning ? Math.ceil(lines.length / LINES_MOVING) : 1;
    const strength = Math.max(0.14, Math.min(0.6, 260 / Math.max(1, lines.length)));
    const shades: Path2D[] = [];
    for (let i = 0; i < lines.length; i += every) {
      const { source, target, alpha } = lines[i];
      const path = (shades[Math.round(alpha * 4)] ??= new Path2D());
      path.moveTo(this.x(source), this.y(source));
      path.lineTo(this.x(target), this.y(target));
    }
    context.strokeStyle = this.inks["--quiet"];
    context.lineWidth = 1;
    shades.forEach((path, shade) => {
      context.globalAlpha = strength * (shade / 4);
      context.stroke(path);
    });
    if (!this.hovered) return;
    context.globalAlpha = 1;
    context.strokeStyle = this.inks["--series-1"];
    context.beginPath();
    for (const { source, target } of this.scene.linesOf(this.hovered)) {
      context.moveTo(this.x(source), this.y(source));
      context.lineTo(this.x(target), this.y(target));
    }
    context.stroke();
  }

  // One path for each colour and shade; large nodes have a rim, so that one can tell them apart.
  private drawPoints(context: CanvasRenderingContext2D): void {
    const rim = this.scene.points.length > MANY ? 8 : 4;
    const [paths, rims] = [new Map<string, Path2D>(), new Path2D()];
    for (const point of this.scene.points) {
      if (point === this.hovered) continue;
      const key = `${point.group} ${Math.round(point.alpha * 4)}`;
      if (!paths.has(key)) paths.set(key, new Path2D());
      const [x, y] = [this.x(point), this.y(point)];
      for (const path of point.radius > rim && point.alpha === 1 ? [paths.get(key)!, rims] : [paths.get(key)!]) {
        path.moveTo(x + point.radius, y);
        path.arc(x, y, point.radius, 0, 2 * Math.PI);
      }
    }
    for (const [key, path] of paths) {
      const [group, shade] = key.split(" ").map(Number);
      context.globalAlpha = shade / 4;
      context.fillStyle = this.inks[this.groups.colours[group]];
      context.fill(path);
    }
    context.globalAlpha = 1;
    context.lineWidth = 1;
    context.strokeStyle = this.inks["--paper"];
    context.stroke(rims);
    if (!this.hovered) return;
    context.fillStyle = this.inks["--series-1"];
    context.beginPath();
    context.arc(this.x(this.hovered), this.y(this.hovered), this.hovered.radius, 0, 2 * Math.PI);
    context.fill();
  }

  private drawNames(context: CanvasRenderingContext2D): void {
    context.font = "12px system-ui, sans-serif";
    context.lineWidth = 3;
    context.lineJoin = "round";
    context.strokeStyle = this.inks["--paper"];
    context.fillStyle = this.inks["--ink"];
    for (const { text, x, y } of this.namesShown()) {
      context.strokeText(text, x, y);
      context.fillText(text, x, y);
    }
  }

  private run(): void {
    if (this.isRunning) return;
    this.isRunning = true;
    const frame = (now: number) => {
      this.scene.step(now);
      if (!this.isMoved) this.fit();
      this.isRunning = this.scene.isMoving && this.stage.isConnected;
      this.draw();
      if (this.isRunning) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  show(network: Network, groups: Groups): void {
    this.groups = groups;
    this.byHost.clear();
    for (const { name } of network.nodes) this.byHost.set(this.hostOf(name), (this.byHost.get(this.hostOf(name)) ?? 0) + 1);
    this.scene.show(network, groups.of, isStill());
    this.hovered = null;
    this.legend.replaceChildren(...groups.names.map((name, i) => {
      const swatch = element("span", { class: "swatch" });
      swatch.style.background = `var(${groups.colours[i]})`;
      return element("span", { class: "key" }, swatch, element("bdi", {}, shortName(name, 40)));
    }));
    this.legend.hidden = groups.names.length < 2;
    this.readInks();
    this.run();
  }

  // ---- pointing ----

  private at(event: MouseEvent): Point | null {
    const box = this.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const distance = (point: Point) => Math.hypot(this.x(point) - x, this.y(point) - y) - point.radius;
    let best: Point | null = null;
    for (const point of this.scene.points) if (!point.isLeaving && distance(point) <= 4 && (!best || distance(point) < distance(best))) best = point;
    return best;
  }

  private hover(point: Point | null, speaks = false): void {
    if (point === this.hovered) return;
    this.hovered = point;
    this.stage.style.cursor = point ? "pointer" : "";
    if (point) {
      const own = this.scene.linesOf(point);
      const from = own.filter(({ source }) => source === point).length;
      const text = `: linked from ${(own.length - from).toLocaleString("en-US")} and links to ${from.toLocaleString("en-US")} of the nodes here.`;
      this.detail.replaceChildren(element("bdi", {}, shortName(point.name, 200)), text);
      if (speaks) this.spoken.textContent = `${shortName(point.name, 200)}${text}`;
    }
    this.draw();
  }

  private press(event: KeyboardEvent): void {
    const order = this.scene.present.sort((a, b) => b.radius - a.radius || a.name.localeCompare(b.name));
    const now = this.hovered ? order.indexOf(this.hovered) : -1;
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step && order.length > 0) this.hover(order[(now + step + order.length + (now < 0 && step < 0 ? 1 : 0)) % order.length], true);
    else if (event.key === "Enter" && this.hovered) this.open(this.hovered.name);
    else if (event.key === "+" || event.key === "=") this.zoomBy(ZOOM.step);
    else if (event.key === "-") this.zoomBy(1 / ZOOM.step);
    else if (event.key === "0") this.fitAgain();
    else if (event.key === "Escape") this.hover(null);
    else return;
    event.preventDefault();
  }

  private listen(): void {
    let from: { x: number; y: number } | null = null;
    let isDragged = false;
    this.canvas.addEventListener("pointerdown", (event) => {
      if (event.pointerType !== "mouse" || event.button !== 0) return;
      [from, isDragged] = [{ x: event.clientX - this.view.x, y: event.clientY - this.view.y }, false];
      this.canvas.setPointerCapture(event.pointerId);
    });
    for (const end of ["pointerup", "pointercancel"]) this.canvas.addEventListener(end, () => (from = null));
    this.canvas.addEventListener("pointermove", (event) => {
      if (!from) return this.hover(this.at(event));
      const [x, y] = [event.clientX - from.x, event.clientY - from.y];
      if (!isDragged && Math.hypot(x - this.view.x, y - this.view.y) < 4) return;
      isDragged = this.isMoved = true;
      [this.view.x, this.view.y] = [x, y];
      this.draw();
    });
    this.canvas.addEventListener("pointerleave", () => this.hover(null));
    this.canvas.addEventListener("click", (event) => {
      const found = this.at(event);
      if (found && !isDragged) this.open(found.name);
    });
    this.canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const box = this.canvas.getBoundingClientRect();
      this.zoomBy(Math.exp(-event.deltaY / 300), event.clientX - box.left, event.clientY - box.top);
    }, { passive: false });
    this.stage.addEventListener("keydown", (event) => this.press(event));
    new ResizeObserver(() => {
      if (!this.isMoved) this.fit();
      this.draw();
    }).observe(this.stage);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => (this.readInks(), this.draw()));
  }

  picture(): SvgFile | null {
    if (this.scene.points.length === 0) return null;
    const [width, height] = [this.width, this.high];
    const place = (value: number) => value.toFixed(1);
    const svg = svgElement("svg", { xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `0 0 ${width} ${height}`, "font-family": "system-ui, sans-serif", "font-size": 12 });
    svg.append(svgElement("rect", { width: "100%", height: "100%", fill: "var(--paper)" }));
    const lines = this.scene.lines.map(({ source, target }) => `M${place(this.x(source))} ${place(this.y(source))}L${place(this.x(target))} ${place(this.y(target))}`).join("");
    svg.append(svgElement("path", { d: lines, stroke: "var(--quiet)", "stroke-opacity": 0.4, fill: "none" }));
    for (const point of this.scene.points) svg.append(svgElement("circle", { cx: place(this.x(point)), cy: place(this.y(point)), r: point.radius.toFixed(1), fill: `var(${this.groups.colours[point.group]})` }));
    for (const { text, x, y } of this.namesShown()) svg.append(svgElement("text", { x: place(x), y: place(y), fill: "var(--ink)" }, text));
    return { text: withColours(new XMLSerializer().serializeToString(svg)), width, height };
  }
}

export function graph(label: string, open: (name: string) => void): Graph {
  const view = new GraphView(label, open);
  return { place: view.place, picture: () => view.picture(), show: (network, groups = ONE) => view.show(network, groups) };
}

const COLOURED = 6;

// The commonest names have colours of their own, the others share a grey.
export function groupsByName(names: (string | undefined)[]): Groups {
  const counts = new Map<string, number>();
  for (const name of names) if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
  const common = [...counts].filter(([, count]) => count > 1).sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])).slice(0, COLOURED).map(([name]) => name);
  const places = new Map(common.map((name, i) => [name, i]));
  if (common.length === 0) return ONE;
  return { names: [...common, "others"], colours: [...common.map((_, i) => `--series-${i === 1 ? 6 : i}`), "--quiet"], of: (index) => places.get(names[index] ?? "") ?? common.length };
}
