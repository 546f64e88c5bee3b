/** What was meant when the keyboard had the other layout: the same keys in Russian and in Latin letters. */

const LATIN = "qwertyuiop[]asdfghjkl;'zxcvbnm,./`";
const RUSSIAN = "йцукенгшщзхъфывапролджэячсмитьбю.ё";

/** The text, and what its keys say in the other layout if that is something else. */
export function layouts(text: string): readonly string[] {
  const typed = text.toLowerCase();
  const other = /[а-яё]/.test(typed) ? turned(typed, RUSSIAN, LATIN) : turned(typed, LATIN, RUSSIAN);
  return other === typed ? [text] : [text, other];
}

function turned(text: string, from: string, to: string): string {
  return Array.from(text, (letter) => {
    const at = from.indexOf(letter);
    return at < 0 ? letter : to[at]!;
  }).join("");
}
