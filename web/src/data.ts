// SPDX-License-Identifier: Apache-2.0

// What the program writes into the page; the fields are those of webstrata/report/report_json.cpp.

export type Scale = "linear" | "log" | "time";
export interface Axis {
  label: string;
  scale: Scale;
  downward: boolean; // the smallest on top
}
// Lists that are empty are left out.
export interface Series {
  name: string;
  x?: (number | null)[];
  y?: (number | null)[];
  low?: (number | null)[];
  high?: (number | null)[];
  labels?: string[];
  quiet?: boolean; // for comparison, in grey
}
export interface PlotPart {
  part: "plot";
  title: string;
  caption: string;
  kind: "line" | "scatter" | "bar";
  stacked: boolean;
  x: Axis;
  y: Axis;
  categories?: string[];
  series: Series[];
}

// spark: numbers with spaces between them, drawn as small bars.
export type ColumnKind = "text" | "number" | "percent" | "link" | "spark";
export interface Column {
  name: string;
  kind: ColumnKind;
}
// In columns of numbers "inf" and "-inf" stand for what JSON cannot say.
export type Cell = number | string | null;
export interface TablePart {
  part: "table";
  title: string;
  caption: string;
  columns: Column[];
  rows: Cell[][];
}

export interface DrawingPart {
  part: "drawing";
  title: string;
  caption: string;
  directed: boolean;
  nodes: { x: number; y: number; label: string; size: number; note: string }[];
  links: { from: number; to: number; label: string }[];
}
export interface TextPart {
  part: "text";
  title: string;
  text: string;
}
export interface FiguresPart {
  part: "figures";
  figures: { label: string; value: string; note: string }[];
}

// Rows that were there in some of the columns.
export interface StrataPart {
  part: "strata";
  title: string;
  caption: string;
  times: number[]; // of the columns, ascending
  names: string[]; // of the rows
  notes?: string[];
  runs: number[][]; // of each row: first column, number of columns, and so on
  groupings: { name: string; groups: string[]; of: number[] }[];
  left_out: number;
}

export type Section = TextPart | FiguresPart | PlotPart | TablePart | DrawingPart | StrataPart;
export interface Report {
  title: string;
  result: string;
  subtitle: string;
  generated_by: string;
  sections: Section[];
}

export function readReport(): Report {
  return JSON.parse(document.getElementById("data")!.textContent!) as Report;
}
