// SPDX-License-Identifier: Apache-2.0

// How far a run is, as the server says it (docs/api.md, Runs), and the sentence for it.

import { plural } from "./frame";

export interface RunStatus {
  name: string;
  kind: "crawl" | "probe" | "campaign" | "seeds";
  running: boolean;
  began?: string;
  changed?: string;
  tests: number;
  found: number;
  waiting?: number;
  harvest?: number;
  outcomes?: Record<string, number>;
  states?: Record<string, number>;
  requests?: number;
  bytes?: number;
  hosts?: number;
  asked?: number;
  order?: string;
  method?: string;
  budget?: Record<string, number>;
  settings?: Record<string, string>;
}

const KINDS = { crawl: "A crawl", probe: "A probe", campaign: "A LiveRank campaign", seeds: "A list of seeds" };
export const momentOf = (time: string | undefined) => (time ? time.replace("T", " ").replace("Z", "") : null);

export function runSentence(run: RunStatus): string {
  if (run.kind === "seeds") return `${KINDS.seeds}: ${plural(run.found, "seed")}${run.method ? ` by ${run.method}` : ""}.`;
  const state = run.kind === "campaign" ? "" : run.running ? " that is at work" : " that is not at work";
  const waiting = run.waiting === undefined ? "" : `; ${run.waiting.toLocaleString("en-US")} ${run.waiting === 1 ? "waits" : "wait"}`;
  return `${KINDS[run.kind]}${state}: of ${plural(run.tests, "tested page")} ${run.found.toLocaleString("en-US")} ${run.found === 1 ? "is" : "are"} alive${waiting}.`;
}
