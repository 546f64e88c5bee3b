/** A function that remembers its last answer: many ask the same of the same objects, one after the other. */
export function remember<Args extends readonly unknown[], Answer>(
  make: (...asked: Args) => Answer,
): (...asked: Args) => Answer {
  let last: { asked: Args; answer: Answer } | null = null;
  return (...asked) => {
    const same = last?.asked.every((each, at) => Object.is(each, asked[at])) ?? false;
    if (!last || !same) last = { asked, answer: make(...asked) };
    return last.answer;
  };
}
