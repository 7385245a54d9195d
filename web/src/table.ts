// SPDX-License-Identifier: Apache-2.0

// A table that sorts by any column, looks for words, and shows some rows at a time.

import { toCsv } from "./csv";
import type { Cell, Column, TablePart } from "./data";
import { button, element, svgElement } from "./dom";
import { downloadText, fileName } from "./download";
import { formatNumber, formatPercent, shortened, shown, webAddress } from "./words";

const ROWS_SHOWN = 25;
const TEXT_SHOWN = 110;
const collator = new Intl.Collator("en", { numeric: true });

interface State {
  query: string;
  column: number; // -1: as written
  descending: boolean;
  first: number; // row of the part that is shown
}

const isNumeric = (column: Column) => column.kind === "number" || column.kind === "percent";

function toNumber(cell: Cell): number {
  if (cell === "inf") return Infinity;
  if (cell === "-inf") return -Infinity;
  return cell === null ? NaN : Number(cell);
}

// ---- which rows, in which order -------------------------------------------------------------------

function filtered(rows: Cell[][], query: string): Cell[][] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const text = row.join("\n").toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

// Rows without a value come last, whichever way round.
function sorted(rows: Cell[][], column: Column | undefined, index: number, descending: boolean): Cell[][] {
  if (!column) return rows;
  const sign = descending ? -1 : 1;
  const compare = isNumeric(column)
    ? (a: Cell, b: Cell) => toNumber(a) - toNumber(b) || 0
    : (a: Cell, b: Cell) => collator.compare(String(a).slice(0, 500), String(b).slice(0, 500));
  return [...rows].sort((a, b) => {
    const left = a[index];
    const right = b[index];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return sign * compare(left, right);
  });
}

// ---- cells ------------------------------------------------------------------------------------------

function textCell(text: string, address: string | null): HTMLElement {
  const visible = shortened(text, TEXT_SHOWN);
  const bdi = element("bdi", visible.length < text.length ? { title: shown(text.slice(0, 2000)) } : {}, visible);
  if (address === null) return bdi;
  return element("a", { href: address, rel: "noopener noreferrer nofollow", target: "_blank" }, bdi);
}

export function sparkCell(text: string): SVGElement {
  const values = text.split(" ").map(Number);
  const most = Math.max(1, ...values);
  const svg = svgElement("svg", { class: "spark", width: values.length * 5, height: 18, role: "img", "aria-label": `From ${values[0]} to ${values[values.length - 1]}, at most ${most}` });
  values.forEach((value, i) => {
    const height = value === 0 ? 0 : Math.max(2, (value / most) * 18);
    svg.append(svgElement("rect", { x: i * 5, y: 18 - height, width: 4, height, fill: "var(--series-0)" }));
  });
  return svg;
}

// Where the text of a cell leads, inside the page that shows the table.
export type Inside = (text: string, column: Column) => string | null;

function cellElement(cell: Cell, column: Column, inside?: Inside): HTMLTableCellElement {
  const made = element("td", isNumeric(column) ? { class: "number" } : {});
  if (cell === null) {
    made.append(element("span", { class: "absent" }, "\u2013"));
  } else if (isNumeric(column)) {
    made.textContent = column.kind === "percent" ? formatPercent(toNumber(cell)) : formatNumber(toNumber(cell));
  } else if (column.kind === "spark") {
    made.append(sparkCell(String(cell)));
  } else if (inside?.(String(cell), column)) {
    if (String(cell).length > 24) made.className = "words";
    made.append(element("a", { href: inside(String(cell), column)! }, textCell(String(cell), null)));
  } else {
    if (String(cell).length > 24) made.className = "words"; // wants room on a phone
    made.append(textCell(String(cell), column.kind === "link" ? webAddress(String(cell)) : null));
  }
  return made;
}

// ---- the whole ----------------------------------------------------------------------------------------

export function tableCsv(table: TablePart): void {
  downloadText(fileName(table.title || "table", "csv"), "text/csv", toCsv(table.columns, table.rows));
}

// A new sorting begins with what one looks for: the largest numbers, the first names.
function nextSorting(state: State, column: Column, index: number): void {
  const startsDescending = isNumeric(column);
  if (state.column !== index) {
    state.column = index;
    state.descending = startsDescending;
  } else if (state.descending === startsDescending) {
    state.descending = !startsDescending;
  } else {
    state.column = -1;
  }
  state.first = 0;
}

function headerRow(columns: Column[], state: State, draw: () => void): HTMLTableRowElement {
  const cells = columns.map((column, i) => {
    const press = () => (nextSorting(state, column, i), draw());
    const cell = element("th", { scope: "col" }, button(shown(column.name), `Sort by ${shown(column.name)}`, press));
    if (isNumeric(column)) cell.className = "number";
    return cell;
  });
  return element("tr", {}, ...cells);
}

function showSorting(header: HTMLTableRowElement, state: State): void {
  [...header.cells].forEach((cell, i) => {
    if (i !== state.column) cell.removeAttribute("aria-sort");
    else cell.setAttribute("aria-sort", state.descending ? "descending" : "ascending");
  });
}

export function tableView(table: TablePart, withCsv = true, inside?: Inside): HTMLElement {
  const state: State = { query: "", column: -1, descending: false, first: 0 };
  const body = element("tbody");
  const count = element("span", { class: "count", role: "status" });
  const search = element("input", { type: "search", placeholder: "Find rows", "aria-label": `Find rows in ${shown(table.title)}` });
  const turn = (rows: number) => ((state.first += rows), draw());
  const back = button("\u2039", "Rows before", () => turn(-ROWS_SHOWN));
  const onward = button("\u203a", "Rows after", () => turn(ROWS_SHOWN));
  back.setAttribute("aria-label", "Rows before");
  onward.setAttribute("aria-label", "Rows after");
  const header = headerRow(table.columns, state, () => draw());

  function draw(): void {
    const rows = sorted(filtered(table.rows, state.query), table.columns[state.column], state.column, state.descending);
    const part = rows.slice(state.first, state.first + ROWS_SHOWN);
    body.replaceChildren(
      ...part.map((row) => element("tr", {}, ...row.map((cell, i) => cellElement(cell, table.columns[i], inside)))),
    );
    const last = state.first + part.length;
    const of = rows.length < table.rows.length ? `${formatNumber(rows.length)} of ${formatNumber(table.rows.length)}` : formatNumber(rows.length);
    count.textContent = part.length === 0 ? `no row of ${formatNumber(table.rows.length)}`
      : part.length === rows.length ? `${of} ${table.rows.length === 1 ? "row" : "rows"}` : `${formatNumber(state.first + 1)}\u2013${formatNumber(last)} of ${of} rows`;
    back.disabled = state.first === 0;
    onward.disabled = last >= rows.length;
    back.hidden = onward.hidden = rows.length <= ROWS_SHOWN;
    showSorting(header, state);
  }

  search.addEventListener("input", () => {
    state.query = search.value;
    state.first = 0;
    draw();
  });
  draw();
  const csv = withCsv ? button("CSV", "Download the whole table as CSV", () => tableCsv(table)) : null;
  const tools = element("div", { class: "tools" }, table.rows.length > 8 ? search : null, count, back, onward, csv);
  const scroller = element("div", { class: "scroller", tabindex: "0", role: "region", "aria-label": shown(table.title) || "table" },
    element("table", {}, element("thead", {}, header), body));
  return element("div", { class: "table" }, tools, scroller);
}
