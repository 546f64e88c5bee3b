/** Lays out open scopes inside one another, and keeps each layout by its contents: equal scopes are laid out once. */

import type { Arrange } from "./arrangement";
import { layOutScope, type ScopeInput, type ScopeLayout } from "./scope-layout";

const MAX_KEPT = 500;

export class NestedLayouts {
  readonly #kept = new Map<string, ScopeLayout>();
  readonly #keys = new Map<string, number>();
  /** Scopes laid out so far; the rest was kept. */
  made = 0;

  constructor(private readonly arrange: Arrange) {}

  layOut(input: ScopeInput): ScopeLayout {
    return this.#layOut(input).layout;
  }

  #layOut(input: ScopeInput): { layout: ScopeLayout; key: number } {
    const children = input.open.map(({ box, scope }) => ({ box, ...this.#layOut(scope) }));
    const open = children.map(({ box, key }) => [box, key]);
    const content = JSON.stringify({ ...input, open });
    const key = this.#keys.get(content) ?? this.#keys.size;
    this.#keys.set(content, key);
    const kept = this.#kept.get(content);
    this.#kept.delete(content);
    const layout =
      kept ?? layOutScope(input, new Map(children.map(({ box, layout }) => [box, layout])), this.arrange);
    if (!kept) this.made += 1;
    this.#kept.set(content, layout);
    for (const [oldest] of this.#kept) {
      if (this.#kept.size <= MAX_KEPT) break;
      this.#kept.delete(oldest);
    }
    return { layout, key };
  }
}
