// SPDX-License-Identifier: Apache-2.0

// The nodes and links of a network that changes: what is new fades in, what is gone fades out where it was, and a force layout
// moves the rest a little. A frame spends a fixed time on the layout, so that two thousand nodes move as evenly as twenty.

import { forceLink, forceManyBody, forceSimulation, forceX, forceY, type Node as Body, type Simulation } from "d3-force";
import type { Network } from "./api";

const FADE = 450; // milliseconds
const TICKS = { first: 220, later: 90 };
const FIRST_MOST = 150; // milliseconds of layout before anything is drawn
const FRAME_MOST = 7; // milliseconds of layout in a frame
const LARGE = 400; // nodes; more are drawn smaller

export interface Point extends Body {
  name: string;
  radius: number;
  group: number; // of a legend
  alpha: number;
  isLeaving: boolean;
}

export interface Line {
  source: Point;
  target: Point;
  alpha: number;
  isLeaving: boolean;
}

export class NetworkScene {
  points: Point[] = [];
  lines: Line[] = [];
  private simulation: Simulation | null = null;
  private ticks = 0;
  private last = 0;
  private frames = 0;

  get isMoving(): boolean {
    return this.ticks > 0 || this.points.some(({ alpha, isLeaving }) => isLeaving || alpha < 1) || this.lines.some(({ alpha, isLeaving }) => isLeaving || alpha < 1);
  }

  // The nodes that are there, without those that fade out.
  get present(): Point[] {
    return this.points.filter(({ isLeaving }) => !isLeaving);
  }

  linesOf(point: Point): Line[] {
    return this.lines.filter(({ source, target, isLeaving }) => !isLeaving && (source === point || target === point));
  }

  show(network: Network, groupOf: (index: number) => number, isStill: boolean): void {
    const isFirst = this.points.length === 0;
    const known = new Map(this.points.map((point) => [point.name, point]));
    const radiusOf = radii(network);
    const now = network.nodes.map((node, index): Point => {
      const point = known.get(node.name) ?? { name: node.name, ...startOf(index), vx: 0, vy: 0, radius: 0, group: 0, alpha: isFirst ? 1 : 0, isLeaving: false };
      known.delete(node.name);
      return Object.assign(point, { radius: radiusOf(index), group: groupOf(index), isLeaving: false });
    });
    for (const point of known.values()) point.isLeaving = true;
    this.points = isStill ? now : [...known.values(), ...now];
    this.takeLines(network, now, isFirst, isStill);
    const staying = this.lines.filter(({ isLeaving }) => !isLeaving);
    this.simulation?.stop();
    this.simulation = forceSimulation(now)
      .force("links", forceLink(staying.map(({ source, target }) => ({ source, target }))).distance(40).strength(0.15))
      .force("apart", forceManyBody().strength(-60).distanceMax(400).theta(1.1)).force("x", forceX(0).strength(0.06)).force("y", forceY(0).strength(0.08)).stop();
    if (!isFirst) this.simulation.alpha(0.35);
    this.ticks = isFirst ? TICKS.first : TICKS.later;
    if (isStill) this.settle(Infinity);
    else if (isFirst) this.settle(FIRST_MOST);
    if (isStill) for (const one of [...this.points, ...this.lines]) one.alpha = 1;
    this.last = performance.now();
  }

  private takeLines(network: Network, points: Point[], isFirst: boolean, isStill: boolean): void {
    const key = (source: Point, target: Point) => `${source.name}\n${target.name}`;
    const known = new Map(this.lines.map((line) => [key(line.source, line.target), line]));
    const now = network.links.filter(([from, to]) => from !== to).map(([from, to]): Line => {
      const [source, target] = [points[from], points[to]];
      const line = known.get(key(source, target)) ?? { source, target, alpha: isFirst ? 1 : 0, isLeaving: false };
      known.delete(key(source, target));
      return Object.assign(line, { source, target, isLeaving: false });
    });
    for (const line of known.values()) line.isLeaving = true;
    this.lines = isStill ? now : [...known.values(), ...now];
  }

  // Moves the layout on for some milliseconds.
  private settle(most: number): void {
    const end = performance.now() + most;
    while (this.ticks > 0 && performance.now() < end) {
      this.simulation!.tick();
      this.ticks -= 1;
    }
  }

  step(now: number): void {
    this.frames += 1;
    if (this.points.length < LARGE * 2 || this.frames % 2 === 0) this.settle(FRAME_MOST); // one tick of very many nodes fills a frame
    const by = Math.min(50, Math.max(0, now - this.last)) / FADE;
    this.last = now;
    this.points = faded(this.points, by);
    this.lines = faded(this.lines, by);
  }

  bounds(): { left: number; right: number; top: number; bottom: number } {
    const bounds = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
    for (const { x, y, isLeaving } of this.points) {
      if (isLeaving) continue;
      bounds.left = Math.min(bounds.left, x);
      bounds.right = Math.max(bounds.right, x);
      bounds.top = Math.min(bounds.top, y);
      bounds.bottom = Math.max(bounds.bottom, y);
    }
    return bounds;
  }
}

// Moves what fades on, and leaves out what has faded away.
function faded<One extends { alpha: number; isLeaving: boolean }>(all: One[], by: number): One[] {
  let isGone = false;
  for (const one of all) {
    if (one.alpha === 1 && !one.isLeaving) continue;
    one.alpha = Math.max(0, Math.min(1, one.alpha + (one.isLeaving ? -by : by)));
    isGone ||= one.isLeaving && one.alpha === 0;
  }
  return isGone ? all.filter(({ alpha, isLeaving }) => !isLeaving || alpha > 0) : all;
}

// The golden angle: the same start every time, the most important in the middle.
function startOf(index: number): { x: number; y: number } {
  const [angle, far] = [index * 2.399963, 8 * Math.sqrt(index + 1)];
  return { x: far * Math.cos(angle), y: far * Math.sin(angle) };
}

function radii(network: Network): (index: number) => number {
  const sizes = network.nodes.map((node) => node.score ?? node.pages ?? 1);
  const [least, most] = sizes.reduce(([low, high], size) => [Math.min(low, size), Math.max(high, size)], [Infinity, -Infinity]);
  const more = network.nodes.length > LARGE ? 10 : 14;
  const base = network.nodes.length > LARGE ? 2.2 : 3;
  return (index) => base + more * (most - least > 1e-6 * most ? Math.sqrt((sizes[index] - least) / (most - least)) : 0.3);
}
