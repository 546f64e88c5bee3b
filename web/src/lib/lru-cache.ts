/** A cache with a limit in bytes that drops the least recently used entries. */

interface Entry<Value> {
  value: Value;
  bytes: number;
}

export class LruCache<Value> {
  readonly #limit: number;
  readonly #entries = new Map<string, Entry<Value>>();
  #bytes = 0;

  constructor(limitBytes: number) {
    this.#limit = limitBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  put(key: string, value: Value, bytes: number): void {
    this.delete(key);
    this.#entries.set(key, { value, bytes });
    this.#bytes += bytes;
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
  }

  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }

  /** Drops the least recently used entries above the limit, but none that is `needed`. */
  trim(needed: (key: string) => boolean): void {
    if (this.#bytes <= this.#limit) return;
    for (const key of [...this.#entries.keys()]) {
      if (this.#bytes <= this.#limit) return;
      if (!needed(key)) this.delete(key);
    }
  }
}
