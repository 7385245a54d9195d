// SPDX-License-Identifier: Apache-2.0

// Questions to the server, and the forms of its answers (docs/api.md).

export type Words = Record<string, string | number | null | undefined>;

export function query(words: Words): string {
  const given = Object.entries(words).filter((pair): pair is [string, string | number] => pair[1] !== null && pair[1] !== undefined && pair[1] !== "");
  const text = given.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
  return text ? `?${text}` : "";
}

export function apiAddress(route: string, words: Words = {}): string {
  return `api/v1/${route}${query(words)}`;
}

// What the server refused, in its own sentence.
export class Refusal extends Error {
  constructor(readonly status: number, sentence: string) {
    super(sentence);
  }
}

const TRIES = 20; // about as many minutes, with the server's default
const WAIT = 2000; // milliseconds

// What an archive is asked for the first time may take longer than a request may: the server goes on with it, and the page asks again.
export async function ask<Answer>(route: string, words: Words = {}, tries = TRIES): Promise<Answer> {
  const answer = await fetch(apiAddress(route, words), { headers: { Accept: "application/json" } });
  if (answer.ok) return (await answer.json()) as Answer;
  if (answer.status === 503 && tries > 1) {
    await new Promise((done) => setTimeout(done, WAIT));
    return ask<Answer>(route, words, tries - 1);
  }
  const problem = (await answer.json().catch(() => ({}))) as { detail?: string; title?: string };
  throw new Refusal(answer.status, problem.detail ?? problem.title ?? `The server answered ${answer.status}.`);
}

export type Years = Record<string, number>;
export interface Archives {
  archives: { name: string; pages: number; captures: number; span: [string, string] | null }[];
}
export interface Info {
  name: string;
  nodes: number;
  pages: number;
  captures: number;
  links: number;
  span: [string, string] | null;
  scores: string[];
}
export interface Host {
  host: string;
  nodes: number;
  pages: number;
  captures: number;
  links: number;
  first: string | null;
  last: string | null;
  years: Years;
}
export interface Counts {
  captures: number;
  new_pages: number;
  births: number;
  deaths: number;
}
export interface Stats {
  pages: number;
  captures: number;
  births: number;
  deaths: number;
  years: Record<string, Counts>;
  months?: Record<string, Counts>;
}
export interface Page {
  url: string;
  state: string;
  since: string | null; // the sightings agree since then
  seen: string | null; // the last of them
  captures: number;
  sightings: number;
  links_out: number;
  links_in: number;
  first: string | null;
  last: string | null;
  states: { state: string; since: string; until: string }[];
  spellings?: string[];
}
export interface Network {
  at: string;
  nodes: { name: string; domain?: string; pages?: number; score?: number }[];
  links: [number, number, number][];
  total_nodes: number;
  total_links: number;
}
