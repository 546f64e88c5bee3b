/** What the user meant if the other keyboard layout was active: the same keys in Russian and Latin letters. */

const LATIN = "qwertyuiop[]asdfghjkl;'zxcvbnm,./`";
const RUSSIAN = "йцукенгшщзхъфывапролджэячсмитьбю.ё";

/** The text, and what its keys type in the other layout if that differs. */
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
