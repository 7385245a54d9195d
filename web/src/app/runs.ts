// SPDX-License-Identifier: Apache-2.0

// Crawls, probes, LiveRank campaigns and seeds: the list of them, or one with its curve, its outcomes page by page, and its plan.
// One that is at work sends its status whenever it changes, and the view follows.

import { element } from "../dom";
import { tableView } from "../table";
import { shortened } from "../words";
import { addressOf } from "./address";
import { apiAddress, ask } from "./api";
import { inPython, plural, quoted, type Context, type ViewParts } from "./frame";
import { count, link, table, text } from "./parts";
import { RunView } from "./run_view";
import { momentOf, runSentence, type RunStatus } from "./run_status";
import { whyView } from "./run_why";

// As text in a line of Python, the address of this server.
const server = () => inPython(new URL(".", document.baseURI).href);

async function list(context: Context): Promise<ViewParts> {
  const { archive } = context;
  const { runs } = await ask<{ runs: RunStatus[] }>(`${archive}/runs`);
  const part = table("Runs", [link("run"), text("kind"), text("state"), count("tested"), count("alive"), count("waiting"), text("last change")],
    runs.map((run) => [run.name, run.kind, run.running ? "at work" : "\u2013", run.tests, run.found, run.waiting ?? null, momentOf(run.changed)]));
  const to = (cell: string) => (runs.some(({ name }) => name === cell) ? addressOf(archive, "runs", { run: cell }) : null);
  const busy = runs.filter(({ running }) => running).length;
  const hint = element("p", { class: "notice" }, "Crawl and probe jobs, LiveRank campaigns and seeds appear here if the server is told where they are: ", element("code", {}, `webstrata serve ${archive}.ws --runs jobs/`), ".");
  return {
    title: "Runs",
    sentence: runs.length === 0 ? "This server shows no runs." : `${plural(runs.length, "run")}; ${busy === 0 ? "none is" : plural(busy, "one is", "are").replace(/^1 one/, "one")} at work.`,
    parts: [runs.length === 0 ? hint : element("section", {}, tableView(part, true, (cell, column) => (column.kind === "link" ? to(cell) : null)))],
    away: { command: `webstrata serve ${archive}.ws --runs jobs/`, python: `webstrata.connect(${server()}, ${inPython(archive)}).runs()`, route: `${archive}/runs`, table: runs.length === 0 ? null : part, picture: null },
  };
}

// The same list on the command line: jobs print their ledger; the others are files that one can read.
function commandOf(archive: string, run: RunStatus): string {
  const address = new URL(apiAddress(`${archive}/runs/${encodeURIComponent(run.name)}/pages`), document.baseURI).href;
  return run.kind === "crawl" ? `webstrata crawl ${quoted(run.name)} --ledger` : `curl -H 'Accept: application/x-ndjson' ${quoted(address)}`;
}

export async function runs(context: Context): Promise<ViewParts> {
  const { archive, place } = context;
  const name = place.words.get("run") ?? "";
  if (!name) return list(context);
  const route = `${archive}/runs/${encodeURIComponent(name)}`;
  const url = place.words.get("url") ?? "";
  if (url) return whyView(context, name, route, url);
  const view = new RunView(context, route, place.words.get("outcome") ?? "");
  const status = await view.load();
  return {
    title: shortened(name, 80),
    sentence: runSentence(status),
    parts: [element("p", { class: "crumbs" }, element("a", { href: addressOf(archive, "runs") }, "All runs")), view.place],
    away: { command: commandOf(archive, status), python: `webstrata.connect(${server()}, ${inPython(archive)}).run(${inPython(name)}).pages()`, route: `${route}/pages`, table: () => view.pagesTable, picture: null },
  };
}
