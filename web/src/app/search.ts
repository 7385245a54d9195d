// SPDX-License-Identifier: Apache-2.0

// The search box: completions of a URL or host while typing (the pattern of a combobox with a list).

import { element } from "../dom";
import { shortened } from "../words";
import { addressOf, go } from "./address";
import { ask } from "./api";
import type { Context } from "./frame";

const SHOWN = 12;

export function searchBox(context: () => Context | null): HTMLElement {
  const input = element("input", { type: "search", role: "combobox", "aria-expanded": "false", "aria-controls": "completions", "aria-autocomplete": "list", "aria-label": "Find a page or host", placeholder: "Find a page or host", autocomplete: "off", spellcheck: "false" });
  const list = element("ul", { id: "completions", role: "listbox", "aria-label": "Completions" });
  list.hidden = true;
  let urls: string[] = [];
  let active = -1;
  let asked = 0;

  function show(): void {
    list.replaceChildren(...urls.map((url, i) => {
      const option = element("li", { role: "option", id: `completion-${i}`, "aria-selected": String(i === active) }, element("bdi", {}, shortened(url, 90)));
      option.addEventListener("pointerdown", (event) => (event.preventDefault(), open(url)));
      return option;
    }));
    list.hidden = urls.length === 0;
    input.setAttribute("aria-expanded", String(urls.length > 0));
    if (active >= 0) input.setAttribute("aria-activedescendant", `completion-${active}`);
    else input.removeAttribute("aria-activedescendant");
  }
  function close(): void {
    [urls, active] = [[], -1];
    asked += 1;
    show();
  }
  function open(word: string): void {
    const now = context();
    close();
    if (!now || !word) return;
    input.value = "";
    const isHost = !/[/]/.test(word.replace(/^https?:\/\//, "").replace(/\/$/, "")) && !/^https?:/.test(word);
    go(addressOf(now.archive, isHost ? "host" : "page", isHost ? { host: word.replace(/\/$/, ""), during: now.during } : { url: word, during: now.during }));
  }
  async function complete(): Promise<void> {
    const now = context();
    const word = input.value.trim();
    const number = (asked += 1);
    if (!now || word.length < 2) return close();
    const found = await ask<{ urls: { url: string }[] }>(`${now.archive}/urls`, { url: word, limit: SHOWN }).catch(() => ({ urls: [] }));
    if (number !== asked) return; // a later one is on its way
    const chosen = urls[active]; // stays chosen if it is still listed
    urls = found.urls.map(({ url }) => url);
    active = urls.indexOf(chosen);
    show();
  }
  input.addEventListener("input", () => void complete());
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (urls.length === 0) return;
      active = (active + (event.key === "ArrowDown" ? 1 : -1) + urls.length + (active < 0 && event.key === "ArrowUp" ? 1 : 0)) % urls.length;
      show();
    } else if (event.key === "Enter") open(active >= 0 ? urls[active] : input.value.trim());
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
  });
  return element("div", { class: "search", role: "search" }, input, list);
}
