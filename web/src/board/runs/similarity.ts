/** The names most similar to a text, for "did you mean": by the pairs of letters that they share. */

export function mostSimilar(text: string, names: readonly string[], most: number): string[] {
  const wanted = pairsOf(text);
  if (wanted.size === 0) return [];
  return names
    .map((name) => ({ name, score: similarity(wanted, pairsOf(name)) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ name }) => name);
}

function pairsOf(text: string): Set<string> {
  const letters = [...text.toLowerCase()];
  return new Set(letters.slice(1).map((letter, at) => `${letters[at]}${letter}`));
}

/** Dice's coefficient: 1 for equal pairs, 0 for none in common. */
function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (b.size === 0) return 0;
  let shared = 0;
  for (const pair of a) if (b.has(pair)) shared += 1;
  return (2 * shared) / (a.size + b.size);
}
