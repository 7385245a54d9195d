// SPDX-License-Identifier: Apache-2.0

// Elements, made without any markup: text stays text.

type Child = Node | string | null;

export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children.filter((child): child is Node | string => child !== null));
  return made;
}

export function svgElement(tag: string, attributes: Record<string, string | number> = {}, text = ""): SVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  if (text) made.textContent = text;
  return made;
}

export function button(text: string, hint: string, press: () => void): HTMLButtonElement {
  const made = element("button", { type: "button", title: hint }, text);
  made.addEventListener("click", press);
  return made;
}
