// SPDX-License-Identifier: Apache-2.0

// How a series looks: its colour, which its name has everywhere on the page, and whether it is emphasised.

import type { PlotPart, Section } from "./data";

const COLOURS = 8; // --series-0 … --series-7 in style.css
const EMPHASISED = 6; // lines in a plot; more cannot be told apart
const DASHES = ["", "6 3", "2 3", "9 3 2 3"];

export interface Look {
  colour: string;
  dashes: string; // colours alone do not tell series apart for everybody
  quiet: boolean; // in grey, for comparison
}

export type Colours = Map<string, number>; // a number for each name

function quietOf(part: PlotPart): boolean[] {
  let loud = 0;
  return part.series.map((series) => part.kind === "line" && (series.quiet === true || ++loud > EMPHASISED));
}

// Names, each with the others that are in colour in the same plot.
function companies(sections: Section[]): Map<string, Set<string>> {
  const company = new Map<string, Set<string>>();
  for (const part of sections) {
    if (part.part !== "plot") continue;
    const quiet = quietOf(part);
    const names = part.series.map((series) => series.name).filter((_, i) => !quiet[i]);
    for (const name of names) {
      const others = company.get(name) ?? new Set<string>();
      names.filter((other) => other !== name).forEach((other) => others.add(other));
      company.set(name, others);
    }
  }
  return company;
}

// The number that fewest names have, of those that none in the same plot has. A name that is always alone has the first.
export function pageColours(sections: Section[]): Colours {
  const numbers: Colours = new Map();
  const uses: number[] = new Array(COLOURS).fill(0);
  for (const [name, others] of companies(sections)) {
    const taken = new Set([...others].map((other) => numbers.get(other)));
    const free = uses.map((_, number) => number).filter((number) => !taken.has(number));
    let number = others.size === 0 ? 0 : free.length > 0 ? free.reduce((a, b) => (uses[b] < uses[a] ? b : a)) : COLOURS;
    while (others.size > 0 && taken.has(number)) number += 1;
    if (others.size > 0 && number < COLOURS) uses[number] += 1;
    numbers.set(name, number);
  }
  return numbers;
}

export function looksOf(part: PlotPart, colours: Colours): Look[] {
  const quiet = quietOf(part);
  return part.series.map((series, i) => {
    const number = colours.get(series.name) ?? 0;
    const dashes = DASHES[Math.floor(number / COLOURS + (number % COLOURS)) % DASHES.length];
    return quiet[i] ? { colour: "var(--quiet)", dashes: "", quiet: true } : { colour: `var(--series-${number % COLOURS})`, dashes, quiet: false };
  });
}
