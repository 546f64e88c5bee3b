/** What points are called. Words of a long column are asked for when they are needed, in lots, and kept. */

const LOT = 500;

export class Names {
  readonly #known = new Map<number, string>();
  readonly #asked = new Set<number>();
  #wanted: number[] = [];
  readonly #ask: (rows: readonly number[]) => Promise<readonly string[]>;
  readonly #come: () => void;

  /** `come` is called when more are known. */
  constructor(ask: (rows: readonly number[]) => Promise<readonly string[]>, come: () => void) {
    this.#ask = ask;
    this.#come = come;
  }

  /** The name of a row; null while it is on its way. */
  of(row: number): string | null {
    const known = this.#known.get(row);
    if (known !== undefined) return known;
    if (!this.#asked.has(row)) {
      this.#asked.add(row);
      this.#wanted.push(row);
      // All that one picture needs goes in one question.
      if (this.#wanted.length === 1) queueMicrotask(() => void this.#fetch());
    }
    return null;
  }

  async #fetch(): Promise<void> {
    const wanted = this.#wanted;
    this.#wanted = [];
    for (let at = 0; at < wanted.length; at += LOT) {
      const rows = wanted.slice(at, at + LOT);
      try {
        const names = await this.#ask(rows);
        rows.forEach((row, place) => {
          this.#known.set(row, names[place] ?? "");
        });
        this.#come();
      } catch {
        // Asked again when they are next wanted.
        for (const row of rows) this.#asked.delete(row);
      }
    }
  }
}
