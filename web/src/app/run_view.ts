// SPDX-License-Identifier: Apache-2.0

// One run: figures, curve and outcomes, which follow the events of the server; then its pages and its plan.

import type { PlotPart, TablePart } from "../data";
import { button, element } from "../dom";
import { figuresView } from "../parts";
import { plotSection } from "../plot";
import { tableView } from "../table";
import { formatPercent } from "../words";
import { addressOf, addressWith, go } from "./address";
import { apiAddress, ask } from "./api";
import { plural, retitle, type Context } from "./frame";
import { count, link, table, text } from "./parts";
import { momentOf, runSentence, type RunStatus } from "./run_status";

interface RunPage {
  url: string;
  state?: string;
  outcome?: string;
  status?: number;
  target?: string;
  evidence?: string;
  time?: string;
  tries?: number;
  depth?: number;
  from?: string;
  score?: number;
  why?: string;
}
interface Curve {
  columns: string[];
  points: number[][];
}

const PORTION = 1000;
const OUTCOMES: Record<string, string> = { alive: "--series-2", moved: "--series-5", gone: "--series-7", "soft-gone": "--series-3", blocked: "--series-4", unreachable: "--series-1", unknown: "--quiet" };
const COLOURS = new Map([["alive", 2], ["harvest", 4], ["score", 0]]);

function bytesOf(bytes: number): string {
  const [size, unit] = [[1e9, "GB"], [1e6, "MB"], [1e3, "kB"]].find(([least]) => bytes >= Number(least)) ?? [1, "bytes"];
  return `${(bytes / Number(size)).toLocaleString("en-US", { maximumFractionDigits: 1 })} ${unit}`;
}

function plotOf(curve: Curve, isSeeds: boolean): PlotPart {
  const column = (name: string) => curve.columns.indexOf(name);
  const x = column(isSeeds ? "seeds" : "tests");
  const series = (name: string, of: number) => ({ name, x: curve.points.map((point) => point[x]), y: curve.points.map((point) => point[of]) });
  const lines = isSeeds ? [series("score", column("score"))] : [series("alive", column("found")), ...(column("harvest") >= 0 ? [series("harvest", column("harvest"))] : [])];
  return { part: "plot", title: isSeeds ? "Scores of the seeds" : "Found against tests", kind: "line", stacked: false,
    caption: isSeeds ? "In the order of choice." : "Each tested page moves the line to the right, each living one also up: the steeper, the better the order.",
    x: { label: isSeeds ? "seeds" : "tested pages", scale: "linear", downward: false }, y: { label: isSeeds ? "score" : "pages", scale: "linear", downward: false }, series: lines };
}

export class RunView {
  readonly place = element("div");
  pagesTable: TablePart | null = null;
  private readonly live = element("p", { class: "live" });
  private readonly figures = element("div");
  private readonly curve = element("div");
  private readonly outcomes = element("div");
  private readonly pages = element("div");
  private status!: RunStatus;
  private listed: RunPage[] = [];
  private next = "";
  private isBusy = false;

  constructor(private readonly context: Context, private readonly route: string, private readonly outcome: string) {}

  async load(): Promise<RunStatus> {
    this.status = await ask<RunStatus>(this.route);
    await Promise.all([this.drawCurve(), this.readPages()]);
    this.drawStatus();
    const plan = element("p", { class: "plan" }, element("a", { href: apiAddress(`${this.route}/plan`), download: "" }, "Download the plan"), `${this.status.kind === "seeds" ? "The seeds" : "What is to be requested next"}, one URL per line.`);
    this.place.append(this.live, this.figures, this.curve, this.outcomes, plan, this.pages);
    if (this.status.kind !== "seeds") this.follow();
    return this.status;
  }

  // The server sends the status whenever it changes; the stream ends with the view.
  private follow(): void {
    const events = new EventSource(apiAddress(`${this.route}/events`));
    events.addEventListener("status", (event) => {
      if (!this.place.isConnected) return events.close();
      void this.update(JSON.parse((event as MessageEvent<string>).data) as RunStatus);
    });
    const watch = setInterval(() => {
      if (this.place.isConnected) return;
      events.close();
      clearInterval(watch);
    }, 500);
  }

  private async update(status: RunStatus): Promise<void> {
    const isNew = status.tests !== this.status.tests || status.running !== this.status.running;
    this.status = status;
    this.drawStatus();
    retitle(status.name, runSentence(status));
    if (!isNew || this.isBusy) return;
    this.isBusy = true;
    try {
      await this.drawCurve();
      if (this.listed.length < PORTION) await this.readPages();
    } finally {
      this.isBusy = false;
    }
  }

  private drawStatus(): void {
    const { status } = this;
    this.live.replaceChildren(...(status.running ? [element("span", { class: "pulse" }), "At work: this view follows."] : []));
    this.live.hidden = !status.running;
    const figure = (label: string, value: string, note = "") => ({ label, value, note });
    const number = (value: number) => value.toLocaleString("en-US");
    const { budget } = status;
    const list = status.kind === "seeds" ? [figure("seeds", number(status.found), status.method ?? "")] : [
      figure("tested", number(status.tests), "pages with an outcome"), figure("alive", number(status.found), status.tests > 0 ? `${formatPercent(status.found / status.tests)} of them` : ""),
      figure("waiting", number(status.waiting ?? 0), "pages"),
      ...(status.requests !== undefined ? [figure("requests", number(status.requests), budget?.requests ? `of ${number(budget.requests)} allowed` : status.order ?? "")] : []),
      ...(status.bytes !== undefined ? [figure("received", bytesOf(status.bytes), budget?.bytes ? `of ${bytesOf(budget.bytes)} allowed` : "")] : []),
      ...(status.asked !== undefined ? [figure("planned", number(status.asked), "pages that plans named")] : [])];
    this.figures.replaceChildren(figuresView({ part: "figures", figures: list }));
    this.outcomes.replaceChildren(...this.outcomesBar());
  }

  // The outcomes as one bar; its legend chooses which pages are listed.
  private outcomesBar(): Node[] {
    const found = Object.entries(this.status.outcomes ?? {}).sort((a, b) => b[1] - a[1]);
    const sum = found.reduce((total, [, pages]) => total + pages, 0);
    if (sum === 0) return [];
    const bar = element("div", { class: "shares", "aria-hidden": "true" }, ...found.map(([name, pages]) => {
      const part = element("span", { title: `${name}: ${plural(pages, "page")}` });
      part.style.cssText = `flex-grow: ${pages}; background: var(${OUTCOMES[name] ?? "--quiet"})`;
      return part;
    }));
    const choose = ([name, pages]: [string, number]) => {
      const made = button("", `List the pages that are ${name}`, () => go(addressWith({ outcome: this.outcome === name ? "" : name })));
      made.setAttribute("aria-pressed", String(this.outcome === "" || this.outcome === name));
      const swatch = element("span", { class: "swatch" });
      swatch.style.background = `var(${OUTCOMES[name] ?? "--quiet"})`;
      made.append(swatch, `${name} ${pages.toLocaleString("en-US")}`);
      return made;
    };
    return [element("section", {}, element("h2", {}, "Outcomes"), bar, element("div", { class: "legend", role: "group", "aria-label": "Outcomes" }, ...found.map(choose)))];
  }

  private async drawCurve(): Promise<void> {
    const curve = await ask<Curve>(`${this.route}/curve`);
    this.curve.replaceChildren(...(curve.points.length > 1 ? [plotSection(plotOf(curve, this.status.kind === "seeds"), COLOURS)] : []));
  }

  private async readPages(after = ""): Promise<void> {
    const found = await ask<{ pages: RunPage[]; next?: string }>(`${this.route}/pages`, { outcome: this.outcome, limit: PORTION, after });
    this.listed = after ? [...this.listed, ...found.pages] : found.pages;
    this.next = found.next ?? "";
    this.drawPages();
  }

  private drawPages(): void {
    const isSeeds = this.status.kind === "seeds";
    const part = isSeeds
      ? table("Seeds", [link("page"), count("score"), text("why")], this.listed.map((page) => [page.url, page.score ?? null, page.why ?? null]))
      : table("Pages", [link("page"), text("outcome"), count("status"), text("moved to"), text("evidence"), text("time")],
        this.listed.map((page) => [page.url, page.outcome ?? page.state ?? null, page.status ?? null, page.target ?? null, page.evidence ?? null, momentOf(page.time)]));
    this.pagesTable = part;
    const { archive, place } = this.context;
    const why = (url: string) => addressOf(archive, "runs", { run: place.words.get("run"), url });
    const more = this.next ? button(`${PORTION.toLocaleString("en-US")} more`, "Load more pages", () => void this.readPages(this.next)) : null;
    const caption = `${this.outcome ? `Only those that are ${this.outcome}. ` : ""}A page leads to why it was requested, and to every request for it.`;
    this.pages.replaceChildren(element("section", {}, element("h2", {}, part.title), element("p", { class: "caption" }, caption), tableView(part, true, (cell, column) => (column.kind === "link" ? why(cell) : null)), more));
  }
}
