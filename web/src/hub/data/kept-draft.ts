import { queries } from "./queries";

/** What was typed into a form that was closed, until it was sent; gone when another account logs in. */
export class KeptDraft<Draft> {
  readonly #key: readonly [string];

  constructor(name: string) {
    this.#key = [`draft: ${name}`];
  }

  get(): Draft | null {
    return queries.getQueryData<Draft | null>(this.#key) ?? null;
  }

  set(draft: Draft | null): void {
    queries.setQueryData<Draft | null>(this.#key, draft);
  }
}
