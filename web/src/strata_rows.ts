// SPDX-License-Identifier: Apache-2.0

// The rows of a strata view, prepared once: where each begins and ends, in which order they are shown, and which.

import type { StrataPart } from "./data";
import { shortName } from "./words";

export class Rows {
  readonly count: number;
  readonly columns: number;
  readonly starts: Uint32Array; // where the runs of each row begin in `runs`
  readonly runs: Uint32Array; // first column, column after the last
  readonly first: Uint32Array; // column
  readonly last: Uint32Array;
  readonly filled: Uint32Array; // number of columns
  private readonly lowered: string[];
  private readonly home: number; // the host with most rows

  constructor(readonly part: StrataPart) {
    this.count = part.names.length;
    this.columns = part.times.length;
    this.starts = new Uint32Array(this.count + 1);
    part.runs.forEach((runs, row) => (this.starts[row + 1] = this.starts[row] + runs.length));
    this.runs = new Uint32Array(this.starts[this.count]);
    this.first = new Uint32Array(this.count);
    this.last = new Uint32Array(this.count);
    this.filled = new Uint32Array(this.count);
    part.runs.forEach((runs, row) => this.take(runs, row));
    this.lowered = part.names.map((name) => name.toLowerCase());
    const counts: number[] = [];
    for (const host of this.hosts?.of ?? []) counts[host] = (counts[host] ?? 0) + 1;
    this.home = counts.reduce((best, rows, host) => (rows > (counts[best] ?? 0) ? host : best), 0);
  }

  get hosts(): StrataPart["groupings"][number] | undefined {
    return this.part.groupings.find(({ name }) => name === "host");
  }

  // A name for a narrow place: of addresses on the commonest host, what follows the host.
  label(row: number, letters: number): string {
    const name = this.part.names[row];
    const path = this.hosts?.of[row] === this.home ? /^https?:\/\/[^/]*(\/.*)$/i.exec(name)?.[1] : undefined;
    return shortName(path ?? name, letters);
  }

  private take(runs: number[], row: number): void {
    const start = this.starts[row];
    for (let i = 0; i + 1 < runs.length; i += 2) {
      this.runs[start + i] = runs[i];
      this.runs[start + i + 1] = runs[i] + runs[i + 1];
      this.filled[row] += runs[i + 1];
    }
    this.first[row] = runs[0] ?? 0;
    this.last[row] = Math.max(0, (this.runs[this.starts[row + 1] - 1] ?? 1) - 1);
  }

  // Whether the row is filled in a column.
  has(row: number, column: number): boolean {
    for (let i = this.starts[row]; i < this.starts[row + 1]; i += 2) {
      if (column >= this.runs[i] && column < this.runs[i + 1]) return true;
    }
    return false;
  }

  lifetime(row: number): number {
    return this.part.times[this.last[row]] - this.part.times[this.first[row]];
  }

  matches(row: number, words: string[]): boolean {
    return words.every((word) => this.lowered[row].includes(word));
  }
}

export const ORDERS = ["first seen", "lifetime", "host", "address"] as const;
export type Order = (typeof ORDERS)[number];

const byFirst = (rows: Rows) => (a: number, b: number) => rows.first[a] - rows.first[b] || rows.last[b] - rows.last[a] || a - b;

// The rows to show, in order. `hidden`: groups that are switched off.
export function arranged(rows: Rows, order: Order, query: string, grouping: number, hidden: Set<number>): Uint32Array {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const group = rows.part.groupings[grouping]?.of;
  const shown: number[] = [];
  for (let row = 0; row < rows.count; row += 1) {
    if (group && hidden.has(group[row])) continue;
    if (words.length > 0 && !rows.matches(row, words)) continue;
    shown.push(row);
  }
  const first = byFirst(rows);
  const hosts = rows.hosts;
  if (order === "first seen") shown.sort(first);
  if (order === "lifetime") shown.sort((a, b) => rows.lifetime(b) - rows.lifetime(a) || rows.filled[b] - rows.filled[a] || first(a, b));
  if (order === "host" && hosts) {
    // Hosts are numbered in the order of addresses, which keeps a domain together.
    shown.sort((a, b) => hosts.of[a] - hosts.of[b] || first(a, b));
  }
  return Uint32Array.from(shown);
}

// ---- colours --------------------------------------------------------------------------------------------

const PLACES = ["--series-0", "--series-6", "--series-2", "--series-1"]; // near is blue, far is orange
const COLOURED = 7;

export interface Group {
  name: string;
  members: number[]; // places in the grouping
  rows: number;
  variable: string; // of style.css
}

// The groups with most rows have colours, the others are grey together.
export function groupsOf(part: StrataPart, grouping: number): Group[] {
  const chosen = part.groupings[grouping];
  if (!chosen) return [{ name: "all", members: [], rows: part.names.length, variable: "--series-0" }];
  const counts = new Array<number>(chosen.groups.length).fill(0);
  for (const group of chosen.of) counts[group] += 1;
  const groups: Group[] = counts.map((rows, i) => ({ name: chosen.groups[i] || "unknown", members: [i], rows, variable: PLACES[i] ?? "" }));
  if (chosen.name === "place") return groups.filter((group) => group.rows > 0);
  groups.sort((a, b) => b.rows - a.rows);
  const loud = groups.slice(0, groups.length <= COLOURED + 1 ? groups.length : COLOURED);
  loud.forEach((group, i) => (group.variable = `--series-${i}`));
  const rest = groups.slice(loud.length);
  if (rest.length > 0) {
    const rows = rest.reduce((sum, group) => sum + group.rows, 0);
    loud.push({ name: `${rest.length} others`, members: rest.flatMap((group) => group.members), rows, variable: "--quiet" });
  }
  return loud;
}
