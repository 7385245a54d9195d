// SPDX-License-Identifier: Apache-2.0

// Dragging over a picture to choose a part of it. Works in the picture's own units (its viewBox).

import { svgElement } from "./dom";
import type { Chart } from "./picture";

export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const SMALLEST = 10; // less is a click

function frameOf(chart: Chart): Box {
  const [left, right] = [...(chart.scale("x")!.range as number[])].sort((a, b) => a - b);
  const [top, bottom] = [...(chart.scale("y")!.range as number[])].sort((a, b) => a - b);
  return { left, right, top, bottom };
}

// The middle half across; where the shape is kept, also the middle half up.
export function middleOf(chart: Chart): Box {
  const frame = frameOf(chart);
  const quarter = (frame.right - frame.left) / 4;
  return { ...frame, left: frame.left + quarter, right: frame.right - quarter };
}

// A drag that is hardly high means all the height.
function boxBetween(frame: Box, a: DOMPoint, b: DOMPoint): Box {
  const within = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));
  const [left, right] = [a.x, b.x].map((x) => within(x, frame.left, frame.right)).sort((p, q) => p - q);
  const [top, bottom] = [a.y, b.y].map((y) => within(y, frame.top, frame.bottom)).sort((p, q) => p - q);
  return bottom - top < 3 * SMALLEST ? { ...frame, left, right } : { left, right, top, bottom };
}

export function brush(chart: Chart, keepsShape: boolean, choose: (box: Box) => void, reset: () => void): void {
  const frame = frameOf(chart);
  const mark = svgElement("rect", { class: "brush" });
  let start: DOMPoint | null = null;
  const at = (event: PointerEvent) => new DOMPoint(event.clientX, event.clientY).matrixTransform(chart.getScreenCTM()!.inverse());
  // Before Plot hears of it: it keeps presses on a point to itself.
  chart.addEventListener("pointerdown", (event) => {
    if (event.button === 0) start = at(event);
  }, { capture: true });
  chart.addEventListener("pointermove", (event) => {
    if (!start) return;
    const box = boxBetween(frame, start, at(event));
    const sizes = { x: box.left, y: box.top, width: box.right - box.left, height: box.bottom - box.top };
    for (const [name, value] of Object.entries(sizes)) mark.setAttribute(name, String(value));
    if (!mark.parentNode && sizes.width > SMALLEST) {
      chart.append(mark);
      chart.setPointerCapture(event.pointerId);
    }
  });
  const stop = (event: PointerEvent) => {
    const from = start;
    start = null;
    mark.remove();
    if (!from || event.type === "pointercancel") return;
    const box = boxBetween(frame, from, at(event));
    if (box.right - box.left > SMALLEST) choose(keepsShape ? shaped(box, frame) : box);
  };
  chart.addEventListener("pointerup", stop);
  chart.addEventListener("pointercancel", stop);
  chart.addEventListener("dblclick", reset);
}

// The smallest box of the frame's shape around this one.
function shaped(box: Box, frame: Box): Box {
  const share = Math.max((box.right - box.left) / (frame.right - frame.left), (box.bottom - box.top) / (frame.bottom - frame.top));
  const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  const [width, height] = [share * (frame.right - frame.left), share * (frame.bottom - frame.top)];
  return { left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 };
}
