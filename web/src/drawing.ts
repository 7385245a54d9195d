// SPDX-License-Identifier: Apache-2.0

// Nodes and links where a layout put them.

import * as Plot from "@observablehq/plot";
import type { DrawingPart, TablePart } from "./data";
import { pictureSection, type Chart, type View } from "./picture";
import type { Domain } from "./scales";
import { folded, shortened, tipLetters, widest } from "./words";

const LABELLED_LINKS = 60; // more labels would hide each other
const LABELLED_LENGTH = 36; // pixels; a shorter link would vanish behind its label
const PLACED_LABELS = 500; // with more, every label stands above its node
const LETTER = 13; // pixels of a line of text
const MARGIN = 44;
const BEND = 12; // degrees; arrows there and back do not cover each other

interface Node {
  x: number;
  y: number;
  r: number; // pixels
  label: string;
  title: string;
  labelAt: [number, number] | null; // its middle, in pixels from the node, right and up; null: there is no room
}
interface Link {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
  label: string;
}

// Domains of the same scale both ways around all nodes.
function wholeDomain(part: DrawingPart, width: number, height: number): { x: Domain; y: Domain } {
  const [xs, ys] = [part.nodes.map((node) => node.x), part.nodes.map((node) => node.y)];
  const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const [across, up] = [width - 2 * MARGIN, height - 2 * MARGIN];
  const unit = Math.max((right - left) / across, (high - low) / up) || 1 / across;
  const around = (a: number, b: number, pixels: number): Domain => [(a + b - unit * pixels) / 2, (a + b + unit * pixels) / 2];
  return { x: around(left, right, across), y: around(low, high, up) };
}

function nodesOf(part: DrawingPart, width: number): Node[] {
  const largest = Math.max(1e-300, ...part.nodes.map((node) => node.size));
  const most = Math.min(18, 90 / Math.sqrt(part.nodes.length)) * Math.min(1, width / 640);
  return part.nodes.map((node) => ({
    x: node.x, y: node.y, r: Math.max(3, most * Math.sqrt(node.size / largest)), label: shortened(node.label, 24), labelAt: null,
    title: folded([shortened(node.label, 70), node.note && shortened(node.note, 200)].filter(Boolean).join("\n"), tipLetters(width)),
  }));
}

interface Box {
  x: number; // of the middle
  y: number;
  across: number; // from the middle to a side
  up: number;
}
const touch = (a: Box, b: Box) => Math.abs(a.x - b.x) < a.across + b.across && Math.abs(a.y - b.y) < a.up + b.up;

// Above, right, left or below its node: the first place where a label covers no node and no other label. Without one
// it is left out; zooming in makes room, and pointing tells it.
function placeLabels(nodes: Node[], unit: number): void {
  const dots: Box[] = nodes.map((node) => ({ x: node.x / unit, y: node.y / unit, across: node.r, up: node.r }));
  const placed: Box[] = [];
  nodes.forEach((node, own) => {
    const [across, up] = [widest([node.label]) * 0.55 + 1, LETTER / 2];
    const [side, pole] = [node.r + 3 + across, node.r + 3 + up];
    const places: [number, number][] = [[0, pole], [side, 0], [-side, 0], [0, -pole], [side, pole], [-side, pole], [side, -pole], [-side, -pole]];
    const boxAt = ([dx, dy]: [number, number]): Box => ({ x: dots[own].x + dx, y: dots[own].y + dy, across, up });
    const isFree = (box: Box) => !placed.some((other) => touch(box, other)) && !dots.some((dot, i) => i !== own && touch(box, dot));
    node.labelAt = nodes.length > PLACED_LABELS ? places[0] : places.find((place) => isFree(boxAt(place))) ?? null;
    if (node.labelAt) placed.push(boxAt(node.labelAt));
  });
}

// From rim to rim: an arrow must not end under its node.
function linksOf(part: DrawingPart, nodes: Node[], unit: number): Link[] {
  return part.links.filter((link) => link.from !== link.to).map((link) => {
    const [a, b] = [nodes[link.from], nodes[link.to]];
    const length = Math.hypot(b.x - a.x, b.y - a.y) || unit;
    const cut = (radius: number) => Math.min(0.45, ((radius + 2) * unit) / length);
    const [start, end] = [cut(a.r), cut(b.r)];
    const at = (share: number) => [a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)];
    const [[x1, y1], [x2, y2]] = [at(start), at(1 - end)];
    return { x1, y1, x2, y2, label: shortened(link.label, 20) };
  });
}

// On the bow of an arrow, nearer to its start: the labels there and back do not cover each other.
function labelPlace(link: Link, directed: boolean): [number, number] {
  const [dx, dy] = [link.x2 - link.x1, link.y2 - link.y1];
  const share = directed ? 0.36 : 0.5;
  const bow = directed ? 2 * share * (1 - share) * Math.tan((BEND * Math.PI) / 360) : 0;
  return [link.x1 + share * dx - bow * dy, link.y1 + share * dy + bow * dx];
}

function drawNodes(part: DrawingPart, view: View): Chart | null {
  if (part.nodes.length === 0) return null;
  const height = Math.round(Math.min(620, Math.max(340, view.width * 0.68)));
  const domain = view.domain ?? wholeDomain(part, view.width, height);
  const unit = (domain.x[1] - domain.x[0]) / (view.width - 2 * MARGIN);
  const nodes = nodesOf(part, view.width);
  placeLabels(nodes, unit);
  const links = linksOf(part, nodes, unit);
  const clip = view.domain !== null;
  const look = { x1: "x1", y1: "y1", x2: "x2", y2: "y2", stroke: "currentColor", strokeOpacity: links.length > 100 ? 0.15 : 0.35, clip };
  const halo = { stroke: "var(--paper)", strokeWidth: 4, fill: "currentColor", clip };
  const labels = links.filter((link) => link.label && Math.hypot(link.x2 - link.x1, link.y2 - link.y1) >= LABELLED_LENGTH * unit);
  return Plot.plot({
    width: view.width, height, margin: MARGIN, className: "plot", style: { fontSize: "12px" },
    x: { type: "linear", domain: domain.x, axis: null }, y: { type: "linear", domain: domain.y, axis: null },
    marks: [
      part.directed ? Plot.arrow(links, { ...look, bend: BEND, headLength: 6, strokeWidth: 1.2 }) : Plot.link(links, look),
      ...(labels.length <= LABELLED_LINKS
        ? [Plot.text(labels, { x: (link: Link) => labelPlace(link, part.directed)[0], y: (link: Link) => labelPlace(link, part.directed)[1], text: "label", fontSize: 10.5, ...halo, fillOpacity: 0.8 })] : []),
      Plot.dot(nodes, { x: "x", y: "y", r: (node: Node) => node.r, fill: "var(--series-0)", stroke: "var(--paper)", strokeWidth: 1.5, clip }),
      Plot.text(nodes.filter((node) => node.labelAt), { x: (node: Node) => node.x + node.labelAt![0] * unit, y: (node: Node) => node.y + node.labelAt![1] * unit, text: "label", fontWeight: 600, ...halo }),
      Plot.tip(nodes, Plot.pointer({ x: "x", y: "y", title: "title", maxRadius: 30, fontSize: 12, lineWidth: 28, pathFilter: "none" })),
    ],
    r: { type: "identity" },
  }) as Chart;
}

function drawingTable(part: DrawingPart): TablePart {
  const name = (node: number) => part.nodes[node].label;
  return {
    part: "table", title: part.title, caption: "",
    columns: [{ name: "from", kind: "text" }, { name: "to", kind: "text" }, { name: "label", kind: "text" }],
    rows: part.links.map((link) => [name(link.from), name(link.to), link.label]),
  };
}

export function drawingSection(part: DrawingPart): HTMLElement {
  return pictureSection({
    title: part.title, caption: part.caption, notice: "", table: drawingTable(part), legend: [], lines: false,
    keepsShape: true, draw: (view) => drawNodes(part, view),
  });
}
