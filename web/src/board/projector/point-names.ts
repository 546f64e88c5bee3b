/** Labels of points. Those of a long column are fetched when needed, in batches, and cached. */

const BATCH_SIZE = 500;

export class PointNames {
  readonly #known = new Map<number, string>();
  readonly #asked = new Set<number>();
  #wanted: number[] = [];
  readonly #ask: (rows: readonly number[]) => Promise<readonly string[]>;
  readonly #come: () => void;

  /** `come` is called when more labels have loaded. */
  constructor(ask: (rows: readonly number[]) => Promise<readonly string[]>, come: () => void) {
    this.#ask = ask;
    this.#come = come;
  }

  /** The label of a row; null while it loads. */
  of(row: number): string | null {
    const known = this.#known.get(row);
    if (known !== undefined) return known;
    if (!this.#asked.has(row)) {
      this.#asked.add(row);
      this.#wanted.push(row);
      // Everything that one picture needs goes into one request.
      if (this.#wanted.length === 1) queueMicrotask(() => void this.#fetch());
    }
    return null;
  }

  async #fetch(): Promise<void> {
    const wanted = this.#wanted;
    this.#wanted = [];
    for (let at = 0; at < wanted.length; at += BATCH_SIZE) {
      const rows = wanted.slice(at, at + BATCH_SIZE);
      try {
        const names = await this.#ask(rows);
        rows.forEach((row, place) => {
          this.#known.set(row, names[place] ?? "");
        });
        this.#come();
      } catch {
        // Fetched again when next needed.
        for (const row of rows) this.#asked.delete(row);
      }
    }
  }
}
