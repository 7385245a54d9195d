// SPDX-License-Identifier: Apache-2.0

// The strata view: rows are links, columns captures, and a filled cell means that the link was there. The stage scrolls natively
// over an empty area of the full size; a canvas stays in its corner and shows what is visible.

import type { Cell, StrataPart, TablePart } from "./data";
import { button, element } from "./dom";
import { downloadText, fileName } from "./download";
import { downloadPng } from "./export";
import { caption, heading } from "./parts";
import { toCsv } from "./csv";
import { strataSvg } from "./strata_export";
import { AXIS, columnAt, contentWidth, draw, edgesOf, gutterOf, type Inks, type Layout, type Scene } from "./strata_draw";
import { arranged, groupsOf, ORDERS, Rows, type Group, type Order } from "./strata_rows";
import { tableView } from "./table";
import { formatNumber, formatTime, shortened, shown, webAddress } from "./words";

const ROW = { least: 1, usual: 18, most: 40 }; // pixels
const STAGE = 560; // pixels, the highest
const ZOOM_MOST = 400;
const TRUE_TIME_FROM = 12; // columns; fewer are easier to see side by side

export interface StrataOptions {
  open?: (name: string) => void; // goes to the other end; by default its address on the web
}

// ---- data to take away ------------------------------------------------------------------------------------------

export function strataTable(part: StrataPart): TablePart {
  const rows = new Rows(part);
  const time = (column: number) => formatTime(part.times[column]);
  const columns: TablePart["columns"] = [{ name: "link", kind: "link" }, { name: "first seen", kind: "text" }, { name: "last seen", kind: "text" },
    { name: "captures", kind: "number" }, ...part.groupings.map(({ name }) => ({ name, kind: "text" as const }))];
  const cells = part.names.map((name, row): Cell[] => [name, time(rows.first[row]), time(rows.last[row]), rows.filled[row],
    ...part.groupings.map(({ groups, of }) => groups[of[row]])]);
  return { part: "table", title: part.title, caption: "", columns, rows: cells };
}

// One line for each uninterrupted stay.
function staysCsv(part: StrataPart): string {
  const time = (column: number) => new Date(part.times[column] * 1000).toISOString().replace(".000Z", "Z");
  const lines: Cell[][] = [];
  part.runs.forEach((runs, row) => {
    for (let i = 0; i + 1 < runs.length; i += 2) {
      lines.push([part.names[row], time(runs[i]), time(runs[i] + runs[i + 1] - 1), runs[i + 1], ...part.groupings.map(({ groups, of }) => groups[of[row]])]);
    }
  });
  return toCsv([{ name: "link", kind: "text" }, { name: "from", kind: "text" }, { name: "to", kind: "text" }, { name: "captures", kind: "number" },
    ...part.groupings.map(({ name }) => ({ name, kind: "text" as const }))], lines);
}

// ---- controls -----------------------------------------------------------------------------------------------------

function choice(label: string, values: readonly string[], chosen: string, choose: (value: string) => void): HTMLElement {
  const select = element("select", {}, ...values.map((value) => element("option", value === chosen ? { value, selected: "" } : { value }, value)));
  select.addEventListener("change", () => choose(select.value));
  return element("label", { class: "choice" }, `${label} `, select);
}

function inksNow(): Inks {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string) => style.getPropertyValue(name).trim();
  return { ink: of("--ink"), soft: of("--soft"), line: of("--line"), accent: of("--accent"), paper: of("--paper") };
}

// "#rrggbb" as a pixel of an ImageData.
function packed(colour: string): number {
  const value = parseInt(colour.slice(1), 16);
  const bytes = new Uint8Array([value >> 16, (value >> 8) & 255, value & 255, 255]);
  return new Uint32Array(bytes.buffer)[0];
}

function packedColours(part: StrataPart, grouping: number, groups: Group[]): Uint32Array {
  const style = getComputedStyle(document.documentElement);
  const byMember = new Map<number, number>();
  for (const group of groups) {
    const colour = packed(style.getPropertyValue(group.variable).trim());
    for (const member of group.members) byMember.set(member, colour);
  }
  const of = part.groupings[grouping]?.of;
  const fallback = packed(style.getPropertyValue("--series-0").trim());
  return Uint32Array.from(part.names, (_, row) => (of ? byMember.get(of[row])! : fallback));
}

// ---- the view --------------------------------------------------------------------------------------------------------

class StrataView {
  readonly place = element("div", { class: "strata" });
  private readonly rows: Rows;
  private readonly canvas = element("canvas", { "aria-hidden": "true" });
  private readonly inner = element("div", { class: "inner" }, this.canvas);
  private readonly stage: HTMLElement;
  private readonly detail = element("p", { class: "detail" });
  private readonly spoken = element("p", { class: "unseen", role: "status" });
  private readonly legend = element("div", { class: "legend", role: "group", "aria-label": "Groups" });
  private readonly count = element("span", { class: "count", role: "status" });
  private readonly layout: Layout;
  private order: Order = "first seen";
  private grouping = 0;
  private query = "";
  private readonly hidden = new Set<number>();
  private shownRows: Uint32Array = new Uint32Array();
  private colours: Uint32Array = new Uint32Array();
  private groups: Group[] = [];
  private inks = inksNow();
  private focus: Scene["focus"] = null;
  private isWaiting = false;

  constructor(private readonly part: StrataPart, private readonly options: StrataOptions) {
    this.rows = new Rows(part);
    this.layout = { width: 0, height: 0, rowHeight: 0, zoom: 1, trueTime: part.times.length >= TRUE_TIME_FROM };
    const label = `${part.title}: ${formatNumber(part.names.length)} rows, ${formatNumber(part.times.length)} columns. Arrow keys move, Enter opens the other end, plus and minus zoom, 0 shows all.`;
    this.stage = element("div", { class: "stage", tabindex: "0", role: "application", "aria-label": label }, this.inner);
    this.place.append(this.controls(), this.legend, this.stage, this.detail, this.spoken);
    this.detail.textContent = "Point at a row, or move with the arrow keys, to see when the link was there.";
    this.listen();
    this.regroup(0);
  }

  private controls(): HTMLElement {
    const search = element("input", { type: "search", placeholder: "Filter by address", "aria-label": "Filter by address" });
    search.addEventListener("input", () => ((this.query = search.value), this.arrange()));
    const zoom = (text: string, hint: string, columns: number, rows: number) => {
      const made = button(text, hint, () => this.zoomBy(columns, rows));
      made.setAttribute("aria-label", hint);
      return made;
    };
    return element("div", { class: "tools" },
      choice("Order", ORDERS.filter((one) => one !== "host" || this.part.groupings.some(({ name }) => name === "host")), this.order, (value) => ((this.order = value as Order), this.arrange())),
      this.part.groupings.length > 1 ? choice("Colour", this.part.groupings.map(({ name }) => name), this.part.groupings[0].name,
        (value) => this.regroup(this.part.groupings.findIndex(({ name }) => name === value))) : null,
      choice("Columns", ["equal", "true time"], this.layout.trueTime ? "true time" : "equal", (value) => ((this.layout.trueTime = value === "true time"), this.resize())),
      search, this.count,
      zoom("\u2194 \u2212", "Narrower columns", 1 / 1.5, 1), zoom("\u2194 +", "Wider columns", 1.5, 1),
      zoom("\u2195 \u2212", "Lower rows", 1, 1 / 1.5), zoom("\u2195 +", "Higher rows", 1, 1.5),
      button("Fit", "Show all columns", () => this.fit()));
  }

  private regroup(grouping: number): void {
    this.grouping = grouping;
    this.hidden.clear();
    this.groups = groupsOf(this.part, grouping);
    this.recolour();
    this.legend.replaceChildren(...this.groups.map((group) => this.legendEntry(group)));
    this.legend.hidden = this.groups.length < 2;
    this.arrange();
  }

  private legendEntry(group: Group): HTMLElement {
    const entry = button("", `Show or hide ${shortened(group.name, 80)}`, () => {
      const isShown = entry.getAttribute("aria-pressed") === "true";
      for (const member of group.members) isShown ? this.hidden.add(member) : this.hidden.delete(member);
      entry.setAttribute("aria-pressed", String(!isShown));
      this.arrange();
    });
    entry.setAttribute("aria-pressed", "true");
    const swatch = element("span", { class: "swatch" });
    swatch.style.background = `var(${group.variable})`;
    entry.append(swatch, element("bdi", {}, shortened(group.name, 40)), ` ${formatNumber(group.rows)}`);
    return entry;
  }

  private recolour(): void {
    this.inks = inksNow();
    this.colours = packedColours(this.part, this.grouping, this.groups);
    this.redraw();
  }

  private arrange(): void {
    this.shownRows = arranged(this.rows, this.order, this.query, this.grouping, this.hidden);
    const of = this.shownRows.length < this.rows.count ? ` of ${formatNumber(this.rows.count)}` : "";
    this.count.textContent = `${formatNumber(this.shownRows.length)}${of} rows`;
    this.focus = null;
    this.resize();
  }

  // ---- size, zoom and scroll ----

  private usualRow(): number {
    return Math.max(ROW.least, Math.min(ROW.usual, Math.floor((STAGE - AXIS - 16) / Math.max(1, this.shownRows.length))));
  }

  private resize(): void {
    const width = this.stage.clientWidth;
    if (width === 0) return;
    if (this.layout.rowHeight === 0) this.layout.rowHeight = this.usualRow();
    const content = AXIS + this.shownRows.length * this.layout.rowHeight;
    this.stage.style.height = `${Math.min(STAGE, Math.max(120, content + 18))}px`;
    this.layout.width = this.stage.clientWidth;
    this.layout.height = this.stage.clientHeight;
    this.inner.style.width = `${gutterOf(this.layout) + contentWidth(this.layout)}px`;
    this.inner.style.height = `${Math.max(content, this.layout.height)}px`;
    this.canvas.style.width = `${this.layout.width}px`;
    this.canvas.style.height = `${this.layout.height}px`;
    this.redraw();
  }

  private fit(): void {
    this.layout.zoom = 1;
    this.layout.rowHeight = this.usualRow();
    this.resize();
    this.stage.scrollTo(0, 0);
  }

  // The point of the stage at (x, y) stays where it is.
  private zoomBy(columns: number, rows: number, x = this.layout.width / 2, y = this.layout.height / 2): void {
    const gutter = gutterOf(this.layout);
    const across = (this.stage.scrollLeft + Math.max(0, x - gutter)) / contentWidth(this.layout);
    const down = (this.stage.scrollTop + Math.max(0, y - AXIS)) / this.layout.rowHeight;
    this.layout.zoom = Math.min(ZOOM_MOST, Math.max(1, this.layout.zoom * columns));
    this.layout.rowHeight = Math.min(ROW.most, Math.max(ROW.least, Math.round(this.layout.rowHeight * rows * 2) / 2));
    this.resize();
    this.stage.scrollLeft = across * contentWidth(this.layout) - Math.max(0, x - gutterOf(this.layout));
    this.stage.scrollTop = down * this.layout.rowHeight - Math.max(0, y - AXIS);
  }

  private redraw(): void {
    if (this.isWaiting) return;
    this.isWaiting = true;
    requestAnimationFrame(() => {
      this.isWaiting = false;
      if (this.layout.width > 0) draw(this.canvas, this.scene(), this.inks);
    });
  }

  private scene(): Scene {
    return { rows: this.rows, order: this.shownRows, layout: this.layout, colourOf: this.colours, focus: this.focus, top: this.stage.scrollTop, left: this.stage.scrollLeft };
  }

  // ---- pointing ----

  private cellAt(event: MouseEvent): Scene["focus"] {
    const box = this.stage.getBoundingClientRect();
    const y = event.clientY - box.top - this.stage.clientTop - AXIS + this.stage.scrollTop;
    const x = event.clientX - box.left - this.stage.clientLeft - gutterOf(this.layout) + this.stage.scrollLeft;
    const place = Math.floor(y / this.layout.rowHeight);
    if (event.clientY - box.top < AXIS || place < 0 || place >= this.shownRows.length) return null;
    return { place, column: columnAt(edgesOf(this.part.times, this.layout), Math.max(0, x)) };
  }

  private describe(): string[] {
    const { place, column } = this.focus!;
    const row = this.shownRows[place];
    const { rows, part } = this;
    const groups = part.groupings.map(({ groups, of }) => groups[of[row]]).filter(Boolean);
    return [part.names[row],
      `first seen ${formatTime(part.times[rows.first[row]])}, last seen ${formatTime(part.times[rows.last[row]])}, in ${formatNumber(rows.filled[row])} of ${formatNumber(part.times.length)} columns; ${groups.join(", ")}.`,
      ...(part.notes?.[row] ? [`\u201c${part.notes[row]}\u201d`] : []),
      `${formatTime(part.times[column])}: ${rows.has(row, column) ? "there" : "not there"}.`];
  }

  private setFocus(focus: Scene["focus"], speaks: boolean): void {
    this.focus = focus;
    this.redraw();
    if (!focus || this.shownRows.length === 0) return;
    const [name, ...rest] = this.describe();
    this.detail.replaceChildren(element("bdi", {}, shortened(name, 300)), element("br"), shown(rest.join(" ")));
    if (speaks) this.spoken.textContent = `${shortened(name, 200)}: ${shown(rest.join(" "))}`;
  }

  private open(): void {
    if (!this.focus) return;
    const name = this.part.names[this.shownRows[this.focus.place]];
    if (this.options.open) return this.options.open(name);
    const address = webAddress(name);
    if (address) element("a", { href: address, target: "_blank", rel: "noopener noreferrer nofollow" }).click();
  }

  // ---- events ----

  private listen(): void {
    this.stage.addEventListener("scroll", () => this.redraw(), { passive: true });
    this.stage.addEventListener("keydown", (event) => this.press(event));
    this.stage.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const box = this.stage.getBoundingClientRect();
      const by = Math.exp(-event.deltaY / 300);
      this.zoomBy(by, by, event.clientX - box.left, event.clientY - box.top);
    }, { passive: false });
    this.dragging();
    new ResizeObserver(() => this.stage.clientWidth !== this.layout.width && this.resize()).observe(this.stage);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.recolour());
  }

  private dragging(): void {
    let from: { x: number; y: number; left: number; top: number } | null = null;
    let moved = false;
    this.stage.addEventListener("pointerdown", (event) => {
      if (event.pointerType !== "mouse" || event.button !== 0) return;
      from = { x: event.clientX, y: event.clientY, left: this.stage.scrollLeft, top: this.stage.scrollTop };
      moved = false;
    });
    this.stage.addEventListener("pointermove", (event) => {
      if (from && Math.hypot(event.clientX - from.x, event.clientY - from.y) > 4) moved = true;
      if (from && moved) this.stage.scrollTo(from.left + from.x - event.clientX, from.top + from.y - event.clientY);
      else this.setFocus(this.cellAt(event), false);
    });
    window.addEventListener("pointerup", () => (from = null));
    this.stage.addEventListener("click", (event) => {
      if (moved) return void (moved = false);
      this.setFocus(this.cellAt(event), false);
      this.open();
    });
  }

  private press(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor((this.layout.height - AXIS) / this.layout.rowHeight) - 1);
    const steps: Record<string, [number, number]> = {
      ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], PageDown: [page, 0], PageUp: [-page, 0],
      Home: [-Infinity, 0], End: [Infinity, 0],
    };
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (steps[event.key]) this.step(...steps[event.key]);
    else if (event.key === "+" || event.key === "=") this.zoomBy(1.5, 1.5);
    else if (event.key === "-") this.zoomBy(1 / 1.5, 1 / 1.5);
    else if (event.key === "0") this.fit();
    else if (event.key === "Enter") this.open();
    else return;
    event.preventDefault();
  }

  private step(down: number, across: number): void {
    if (this.shownRows.length === 0) return;
    const within = (value: number, count: number) => Math.max(0, Math.min(count - 1, value));
    const from = this.focus ?? { place: down > 0 ? -1 : 0, column: this.part.times.length - 1 };
    this.setFocus({ place: within(from.place + down, this.shownRows.length), column: within(from.column + across, this.part.times.length) }, true);
    this.reveal();
  }

  private reveal(): void {
    const { place, column } = this.focus!;
    const [top, rowHeight] = [place * this.layout.rowHeight, this.layout.rowHeight];
    const high = this.layout.height - AXIS;
    if (top < this.stage.scrollTop) this.stage.scrollTop = top;
    else if (top + rowHeight > this.stage.scrollTop + high) this.stage.scrollTop = top + rowHeight - high;
    const wide = this.layout.width - gutterOf(this.layout);
    const x = edgesOf(this.part.times, this.layout).from[column];
    if (x < this.stage.scrollLeft || x > this.stage.scrollLeft + wide - 20) this.stage.scrollLeft = x - wide / 2;
  }

  svg() {
    return strataSvg(this.rows, this.shownRows, this.groups, this.grouping, this.layout.trueTime);
  }
}

export function strataSection(part: StrataPart, options: StrataOptions = {}): HTMLElement {
  if (part.names.length === 0 || part.times.length === 0) {
    return element("section", { class: "figure" }, heading(part.title), element("p", { class: "notice" }, "There is nothing to show here."));
  }
  const view = new StrataView(part, options);
  const data = element("div", { class: "data" });
  data.hidden = true;
  const show = button("Data", "Show first and last time seen of each row as a table", () => {
    if (!data.hasChildNodes()) data.append(tableView(strataTable(part), false));
    data.hidden = !data.hidden;
    show.setAttribute("aria-expanded", String(!data.hidden));
  });
  show.setAttribute("aria-expanded", "false");
  const tools = element("div", { class: "tools" }, show,
    button("CSV", "Download when each row was there as CSV", () => downloadText(fileName(part.title, "csv"), "text/csv", staysCsv(part))),
    button("SVG", "Download the picture as SVG", () => downloadText(fileName(part.title, "svg"), "image/svg+xml", view.svg().text)),
    button("PNG", "Download the picture as PNG", () => downloadPng(fileName(part.title, "png"), view.svg())));
  return element("section", { class: "figure" }, heading(part.title), element("div", { class: "bar" }, caption(part.caption), tools), view.place, data);
}
