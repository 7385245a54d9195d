// SPDX-License-Identifier: Apache-2.0

// Tables as CSV (RFC 4180), every digit of every number kept.

import type { Cell, Column } from "./data";

// Spreadsheets run a text that begins like a formula; an apostrophe keeps it a text.
function csvText(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function csvCell(cell: Cell, column: Column): string {
  if (cell === null) return "";
  const isText = column.kind === "text" || column.kind === "link" || column.kind === "spark";
  return isText ? csvText(String(cell)) : String(cell);
}

export function toCsv(columns: Column[], rows: Cell[][]): string {
  const lines = [columns.map((column) => csvText(column.name)).join(",")];
  for (const row of rows) lines.push(row.map((cell, i) => csvCell(cell, columns[i])).join(","));
  return lines.join("\r\n") + "\r\n";
}
