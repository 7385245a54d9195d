// SPDX-License-Identifier: Apache-2.0

// Days from first to last as a slider, with its date in words next to it. While it moves, the view follows with a short delay.

import { button, element } from "../dom";

const DAY = 86_400_000;
const DELAY = 160; // milliseconds after the last movement
const STEPS = 24; // of a whole run

const dayOf = (days: number) => new Date(days * DAY).toISOString().slice(0, 10);

// "2015" and "2015-06" mean their last day.
function daysOf(date: string): number {
  const [year, month] = date.split("-").map(Number);
  if (date.length <= 7) return Math.floor(Date.UTC(date.length === 4 ? year + 1 : year, date.length === 4 ? 0 : month, 1) / DAY) - 1;
  return Math.floor(Date.parse(`${date.slice(0, 10)}T00:00:00Z`) / DAY);
}

export interface SliderOptions {
  plays?: boolean; // a button that runs through time
  more?: HTMLElement; // next to the other buttons
}

// `choose` may return a promise: a run waits for it.
export function dateSlider(span: [string, string], at: string, choose: (at: string) => void | Promise<unknown>, options: SliderOptions = {}): HTMLElement {
  const [first, last] = span.map((time) => Math.floor(Date.parse(time) / DAY));
  const start = at ? daysOf(at) : last;
  const range = element("input", { type: "range", min: String(first), max: String(last), step: "1", "aria-label": "Date" });
  const text = element("output");
  let [timer, chosen, isPlaying] = [0, Number.NaN, false];
  function say(days: number): void {
    text.textContent = dayOf(days);
    range.setAttribute("aria-valuetext", dayOf(days));
  }
  function move(days: number): void | Promise<unknown> {
    const inside = Math.min(last, Math.max(first, days));
    range.value = String(inside);
    say(inside);
    clearTimeout(timer);
    if (inside === chosen) return;
    chosen = inside;
    return choose(dayOf(inside));
  }
  range.value = String(Math.min(last, Math.max(first, start)));
  chosen = Number(range.value);
  say(chosen);
  range.addEventListener("input", () => {
    isPlaying = false;
    say(Number(range.value));
    clearTimeout(timer);
    timer = window.setTimeout(() => void move(Number(range.value)), DELAY);
  });
  range.addEventListener("change", () => void move(Number(range.value)));
  const by = Math.max(1, Math.round((last - first) / STEPS));
  // Page keys and arrows move by steps that one can see, not by days.
  range.addEventListener("keydown", (event) => {
    const sign = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
    if (!sign || event.shiftKey) return;
    event.preventDefault();
    void move(Number(range.value) + sign * by);
  });
  const jump = (to: number, hint: string) => button(dayOf(to).slice(0, 7), hint, () => ((isPlaying = false), void move(to)));
  const play = button("\u25b6 Play", "Run through time", () => void (isPlaying ? (isPlaying = false) : run()));
  async function run(): Promise<void> {
    isPlaying = true;
    play.textContent = "\u25a0 Stop";
    if (Number(range.value) >= last) await move(first);
    while (isPlaying && range.isConnected && Number(range.value) < last) {
      const pause = new Promise((done) => setTimeout(done, 700));
      await move(Number(range.value) + by);
      await pause;
    }
    isPlaying = false;
    play.textContent = "\u25b6 Play";
  }
  return element("div", { class: "tools slider" }, options.plays ? play : null, element("label", {}, element("span", {}, "Date"), range, text),
    jump(first, "Go to the first date"), jump(last, "Go to the last date"), options.more ?? null);
}
