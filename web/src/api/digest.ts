/** Synchronous SHA-256 (FIPS 180-4): the browser's own is asynchronous, and missing on plain HTTP. */

const PRIMES = primes(64);
const ROUNDS = PRIMES.map((prime) => fraction(Math.cbrt(prime)));
const BEGIN = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

/** The digest of the text in UTF-8, in hexadecimal. */
export function sha256(text: string): string {
  const words = padded(new TextEncoder().encode(text));
  let state = BEGIN;
  for (let at = 0; at < words.length; at += 16) state = withBlock(state, words.subarray(at, at + 16));
  return state.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

function padded(bytes: Uint8Array): Uint32Array {
  const size = Math.ceil((bytes.length + 9) / 64) * 64;
  const view = new DataView(new ArrayBuffer(size));
  new Uint8Array(view.buffer).set(bytes);
  view.setUint8(bytes.length, 0x80);
  view.setBigUint64(size - 8, BigInt(bytes.length) * 8n);
  return Uint32Array.from({ length: size / 4 }, (_, at) => view.getUint32(4 * at));
}

function withBlock(state: number[], block: Uint32Array): number[] {
  const words = [...block];
  let [a, b, c, d, e, f, g, h] = state as [number, number, number, number, number, number, number, number];
  for (let at = 0; at < 64; at++) {
    if (at >= 16) words.push(next(words, at));
    const one = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g));
    const sum = (one + (ROUNDS[at] ?? 0) + (words[at] ?? 0)) | 0;
    const other = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [a, b, c, d, e, f, g, h] = [(sum + other) | 0, a, b, c, (d + sum) | 0, e, f, g];
  }
  return [a, b, c, d, e, f, g, h].map((word, at) => (word + (state[at] ?? 0)) | 0);
}

function next(words: number[], at: number): number {
  const [before, last] = [words[at - 15] ?? 0, words[at - 2] ?? 0];
  const low = turned(before, 7) ^ turned(before, 18) ^ (before >>> 3);
  const high = turned(last, 17) ^ turned(last, 19) ^ (last >>> 10);
  return ((words[at - 16] ?? 0) + low + (words[at - 7] ?? 0) + high) | 0;
}

function turned(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

/** The first 32 bits of the fraction. */
function fraction(number: number): number {
  return ((number - Math.floor(number)) * 2 ** 32) | 0;
}

function primes(count: number): number[] {
  const found: number[] = [];
  for (let number = 2; found.length < count; number++) {
    if (found.every((prime) => number % prime !== 0)) found.push(number);
  }
  return found;
}
