// SPDX-License-Identifier: Apache-2.0

// A network on a canvas: a force layout, sizes by score, names of the largest nodes. The table below it has the same for readers
// without a pointer.

import { forceLink, forceManyBody, forceSimulation, forceX, forceY, type Node as Body, type Simulation } from "d3-force";
import { button, element, svgElement } from "../dom";
import { withColours, type SvgFile } from "../export";
import { shortName, widest } from "../words";
import type { Network } from "./api";

const NAMED = 24;
const HIGH = 520;

interface Point extends Body {
  name: string;
  radius: number;
  index: number;
}

export interface Graph {
  place: HTMLElement;
  picture: () => SvgFile | null;
  show: (network: Network) => void;
}

const reduced = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export function graph(label: string, open: (name: string) => void): Graph {
  const canvas = element("canvas", { role: "img", "aria-label": label });
  const stage = element("div", { class: "network" }, canvas);
  const detail = element("p", { class: "detail" }, "Point at a node to see its name; click to open it.");
  let points: Point[] = [];
  let links: [number, number, number][] = [];
  let simulation: Simulation | null = null;
  let hovered = -1;
  let fade = 1; // of what is new
  let old = new Set<string>();
  const view = { x: 0, y: 0, scale: 1 };

  const toX = (point: Point) => canvas.clientWidth / 2 + view.x + point.x * view.scale;
  const toY = (point: Point) => HIGH / 2 + view.y + point.y * view.scale;
  const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const byHost = new Map<string, number>();
  const hostOf = (name: string) => /^https?:\/\/([^/]*)\//i.exec(name)?.[1] ?? "";
  // Of pages on the commonest host, what follows the host.
  const labelOf = (name: string, letters: number) => {
    const host = hostOf(name);
    const isHome = host !== "" && [...byHost.values()].every((count) => count <= byHost.get(host)!);
    return shortName(isHome ? name.slice(name.indexOf(host) + host.length) : name, letters);
  };
  // Names of the largest nodes, as long as they do not cover each other.
  function namesShown(): { text: string; x: number; y: number }[] {
    const taken: { x: number; y: number; right: number }[] = [];
    const found = [];
    const largest = [...points].sort((a, b) => Number(b.index === hovered) - Number(a.index === hovered) || b.radius - a.radius).slice(0, NAMED);
    for (const point of largest) {
      const text = labelOf(point.name, point.index === hovered ? 60 : 34);
      const width = widest([text]);
      const x = Math.max(2, Math.min(toX(point) + point.radius + 3, canvas.clientWidth - width - 4));
      const y = toY(point) + 4;
      if (taken.some((other) => Math.abs(other.y - y) < 14 && x < other.right + 4 && other.x < x + width + 4)) continue;
      taken.push({ x, y, right: x + width });
      found.push({ text, x, y });
    }
    return found;
  }

  function draw(): void {
    const ratio = Math.min(2, devicePixelRatio || 1);
    const width = stage.clientWidth;
    if (width === 0) return;
    if (canvas.width !== Math.round(width * ratio)) [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(HIGH * ratio)];
    const context = canvas.getContext("2d")!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, HIGH);
    context.strokeStyle = colour("--quiet");
    context.lineWidth = 1;
    context.globalAlpha = Math.max(0.12, Math.min(0.55, 200 / Math.max(1, links.length)));
    context.beginPath();
    for (const [from, to] of links) {
      context.moveTo(toX(points[from]), toY(points[from]));
      context.lineTo(toX(points[to]), toY(points[to]));
    }
    context.stroke();
    if (hovered >= 0) drawOwn(context);
    for (const point of points) {
      context.globalAlpha = old.has(point.name) ? 1 : fade;
      context.fillStyle = point.index === hovered ? colour("--series-1") : colour("--series-0");
      context.beginPath();
      context.arc(toX(point), toY(point), point.radius, 0, 7);
      context.fill();
    }
    context.globalAlpha = 1;
    drawNames(context);
  }
  function drawOwn(context: CanvasRenderingContext2D): void {
    context.globalAlpha = 1;
    context.strokeStyle = colour("--series-1");
    context.beginPath();
    for (const [from, to] of links) {
      if (from !== hovered && to !== hovered) continue;
      context.moveTo(toX(points[from]), toY(points[from]));
      context.lineTo(toX(points[to]), toY(points[to]));
    }
    context.stroke();
  }
  function drawNames(context: CanvasRenderingContext2D): void {
    context.font = "12px system-ui, sans-serif";
    context.lineWidth = 3;
    context.strokeStyle = colour("--paper");
    context.fillStyle = colour("--ink");
    for (const { text, x, y } of namesShown()) {
      context.strokeText(text, x, y);
      context.fillText(text, x, y);
    }
  }

  function fit(): void {
    if (points.length === 0) return;
    const [left, right] = [Math.min(...points.map(({ x }) => x)), Math.max(...points.map(({ x }) => x))];
    const [top, bottom] = [Math.min(...points.map(({ y }) => y)), Math.max(...points.map(({ y }) => y))];
    const across = Math.max(80, canvas.clientWidth - (canvas.clientWidth < 560 ? 60 : 220)); // names need room
    view.scale = Math.min(3, across / Math.max(1, right - left), (HIGH - 60) / Math.max(1, bottom - top));
    [view.x, view.y] = [(-(left + right) / 2) * view.scale - (canvas.clientWidth < 560 ? 0 : 40), (-(top + bottom) / 2) * view.scale];
  }

  function show(network: Network): void {
    const before = new Map(points.map((point) => [point.name, point]));
    old = new Set(before.keys());
    const sizes = network.nodes.map((node) => node.score ?? node.pages ?? 1);
    const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
    const share = (size: number) => (most - least > 1e-6 * most ? Math.sqrt((size - least) / (most - least)) : 0.3);
    byHost.clear();
    for (const { name } of network.nodes) byHost.set(hostOf(name), (byHost.get(hostOf(name)) ?? 0) + 1);
    points = network.nodes.map((node, index) => {
      const known = before.get(node.name);
      const angle = index * 2.399963; // the golden angle: the same start every time
      const far = 8 * Math.sqrt(index + 1);
      return { name: node.name, index, radius: 3 + (network.nodes.length > 400 ? 9 : 13) * share(sizes[index]), x: known?.x ?? far * Math.cos(angle), y: known?.y ?? far * Math.sin(angle), vx: 0, vy: 0 };
    });
    links = network.links.filter(([from, to]) => from !== to);
    hovered = -1;
    simulation?.stop();
    simulation = forceSimulation(points)
      .force("links", forceLink(links.map(([source, target]) => ({ source, target }))).distance(40).strength(0.15))
      .force("apart", forceManyBody().strength(-60).distanceMax(400)).force("x", forceX(0).strength(0.06)).force("y", forceY(0).strength(0.08)).stop();
    fade = old.size === 0 || reduced() ? 1 : 0;
    let left = reduced() || old.size === 0 ? 0 : 90;
    if (left === 0) for (let i = 0; i < (points.length > 600 ? 80 : 200); i += 1) simulation.tick();
    const own = simulation;
    const step = () => {
      if (own !== simulation || !stage.isConnected) return;
      if (left > 0) own.tick();
      fade = Math.min(1, fade + 0.03);
      fit();
      draw();
      left -= 1;
      if (left > 0 || fade < 1) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  function at(event: MouseEvent): number {
    const box = canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    return points.findIndex((point) => Math.hypot(toX(point) - x, toY(point) - y) <= point.radius + 3);
  }
  canvas.addEventListener("pointermove", (event) => {
    const found = at(event);
    if (found === hovered) return;
    hovered = found;
    if (found >= 0) {
      const own = links.filter(([from, to]) => from === found || to === found).length;
      detail.replaceChildren(element("bdi", {}, shortName(points[found].name, 200)), `: ${own.toLocaleString("en-US")} connections drawn`);
    }
    draw();
  });
  canvas.addEventListener("click", (event) => {
    const found = at(event);
    if (found >= 0) open(points[found].name);
  });
  new ResizeObserver(() => (fit(), draw())).observe(stage);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);

  function picture(): SvgFile | null {
    if (points.length === 0) return null;
    const width = canvas.clientWidth;
    const svg = svgElement("svg", { xmlns: "http://www.w3.org/2000/svg", width, height: HIGH, viewBox: `0 0 ${width} ${HIGH}`, "font-family": "system-ui, sans-serif", "font-size": 12 });
    svg.append(svgElement("rect", { width: "100%", height: "100%", fill: "var(--paper)" }));
    const lines = links.map(([from, to]) => `M${toX(points[from]).toFixed(1)} ${toY(points[from]).toFixed(1)}L${toX(points[to]).toFixed(1)} ${toY(points[to]).toFixed(1)}`).join("");
    svg.append(svgElement("path", { d: lines, stroke: "var(--quiet)", "stroke-opacity": 0.4, fill: "none" }));
    for (const point of points) svg.append(svgElement("circle", { cx: toX(point).toFixed(1), cy: toY(point).toFixed(1), r: point.radius.toFixed(1), fill: "var(--series-0)" }));
    for (const { text, x, y } of namesShown()) svg.append(svgElement("text", { x: x.toFixed(1), y: y.toFixed(1), fill: "var(--ink)" }, text));
    return { text: withColours(new XMLSerializer().serializeToString(svg)), width, height: HIGH };
  }
  return { place: element("div", {}, stage, detail), picture, show };
}

// Days from first to last as a slider; the text next to it says which.
export function dateSlider(span: [string, string], at: string, choose: (at: string) => void): HTMLElement {
  const [first, last] = span.map((time) => Math.floor(Date.parse(time) / 86_400_000));
  const of = (days: number) => new Date(days * 86_400_000).toISOString().slice(0, 10);
  const now = at ? Math.floor(Date.parse(`${at.length === 4 ? `${at}-12-31` : at.length === 7 ? `${at}-28` : at.slice(0, 10)}T00:00:00Z`) / 86_400_000) : last;
  const range = element("input", { type: "range", min: String(first), max: String(last), step: String(Math.max(1, Math.round((last - first) / 400))), value: String(now), "aria-label": "Date" });
  const text = element("output", {}, of(Math.min(last, Math.max(first, now))));
  range.addEventListener("input", () => {
    text.textContent = of(Number(range.value));
    range.setAttribute("aria-valuetext", text.textContent);
  });
  range.addEventListener("change", () => choose(of(Number(range.value))));
  const jump = (to: number) => button(of(to).slice(0, 4), `Go to ${of(to)}`, () => choose(of(to)));
  return element("div", { class: "tools slider" }, element("label", {}, "Date ", range), text, jump(first), jump(last));
}
