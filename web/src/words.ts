// SPDX-License-Identifier: Apache-2.0

// Texts and numbers as a reader sees them.

// Control characters, and those that turn the direction of writing round: a crawled title must not
// be able to show itself as another one.
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

export function shown(text: string): string {
  return text.replace(HIDDEN, "\ufffd");
}

// Long texts lose their middle; the two ends of a url say most.
export function shortened(text: string, length: number): string {
  const visible = shown(text.length > 20_000 ? text.slice(0, 10_000) + text.slice(-10_000) : text);
  if (visible.length <= length) return visible;
  const tail = Math.floor(length / 3);
  return `${visible.slice(0, length - tail - 1)}\u2026${visible.slice(visible.length - tail)}`;
}

// For a place where every letter counts: the scheme of a url says least.
export function shortName(text: string, length: number): string {
  return shortened(text.replace(/^https?:\/\//i, ""), length);
}

// Short names that differ where the names do: as many more letters as that takes.
export function distinctNames(names: string[], length: number): string[] {
  const different = new Set(names).size;
  let short = names.map((name) => shortName(name, length));
  for (let letters = length + 4; new Set(short).size < different && letters <= 80; letters += 4) {
    short = names.map((name) => shortName(name, letters));
  }
  return short;
}

const NARROW = 560; // pixels

// Letters in a line of a tip: half the width of a narrow picture, so that it fits on one side of any point.
export const tipLetters = (width: number) => (width < NARROW ? Math.floor(width / 15) : 80);

export function folded(text: string, letters: number): string {
  return text.replace(new RegExp(`[^\n]{${letters}}(?=[^\n])`, "gu"), "$&\n");
}

const WHOLE = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const REAL = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 5 });
const PERCENT = new Intl.NumberFormat("en-US", { style: "percent", maximumFractionDigits: 2 });
const SHORT = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 3 });

export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "" : value > 0 ? "\u221e" : "\u2212\u221e";
  const size = Math.abs(value);
  if (size >= 1e15 || (size > 0 && size < 1e-4)) return value.toExponential(3).replace("e-", "e\u2212");
  return Number.isInteger(value) ? WHOLE.format(value) : REAL.format(value);
}

// For the ticks of an axis: 20K, 0.001, 1e-7.
export function formatTick(value: number): string {
  const size = Math.abs(value);
  if (size > 0 && (size < 1e-4 || size >= 1e15)) return value.toExponential(0).replace("e-", "e\u2212").replace("e+", "e");
  return size >= 10_000 ? SHORT.format(value) : REAL.format(value);
}

export function formatPercent(value: number): string {
  return Number.isFinite(value) ? PERCENT.format(value) : formatNumber(value);
}

export function formatTime(seconds: number): string {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return formatNumber(seconds);
  const text = date.toISOString().replace(".000Z", "").replace("T", " ");
  return text.endsWith(" 00:00:00") ? text.slice(0, -9) : text;
}

const ruler = document.createElement("canvas").getContext("2d")!;

// Pixels that the longest of these texts takes in a picture.
export function widest(texts: string[], weight = 400): number {
  ruler.font = `${weight} 12px system-ui, sans-serif`; // as pictures have it
  return Math.max(0, ...texts.map((text) => ruler.measureText(text).width));
}

// The address to link to, or null: only the web, never javascript: or data:.
export function webAddress(text: string): string | null {
  if (!/^https?:\/\//i.test(text)) return null;
  try {
    const address = new URL(text);
    return address.protocol === "http:" || address.protocol === "https:" ? address.href : null;
  } catch {
    return null;
  }
}
