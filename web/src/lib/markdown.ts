/**
 * Parses the subset of Markdown for notes into a tree: headings, paragraphs, lists, quotes, code, emphasis and links.
 * Anything else stays text; nothing becomes HTML.
 */

export type Inline =
  | { kind: "text"; text: string }
  | { kind: "code"; text: string }
  | { kind: "strong" | "emphasis"; parts: Inline[] }
  | { kind: "link"; address: string; parts: Inline[] };

export type Block =
  | { kind: "heading"; level: 1 | 2 | 3; parts: Inline[] }
  | { kind: "paragraph" | "quote"; parts: Inline[] }
  | { kind: "list"; ordered: boolean; items: Inline[][] }
  | { kind: "code"; text: string };

const FENCE = /^\s*```/;
const HEADING = /^(#{1,6})\s+(.*)$/;
const ITEM = /^\s*(?:[-*+]|(\d+)[.)])\s+(.*)$/;
const QUOTE = /^>\s?(.*)$/;

export function parseMarkdown(source: string): Block[] {
  const blocks: Block[] = [];
  const lines = source.split(/\r?\n/);
  let at = 0;
  /** Takes the following lines while they belong together. */
  const take = (belongs: (line: string) => boolean): string[] => {
    const from = at;
    while (at < lines.length && belongs(lines[at]!)) at++;
    return lines.slice(from, at);
  };
  while (at < lines.length) {
    const line = lines[at]!;
    const heading = HEADING.exec(line);
    if (line.trim() === "") at++;
    else if (FENCE.test(line)) {
      at++;
      blocks.push({ kind: "code", text: take((each) => !FENCE.test(each)).join("\n") });
      at++;
    } else if (heading) {
      at++;
      const level = Math.min(3, heading[1]!.length) as 1 | 2 | 3;
      blocks.push({ kind: "heading", level, parts: parseInline(heading[2]!) });
    } else if (QUOTE.test(line)) {
      const text = take((each) => QUOTE.test(each)).map((each) => QUOTE.exec(each)![1]!);
      blocks.push({ kind: "quote", parts: parseInline(text.join("\n")) });
    } else if (ITEM.test(line)) {
      const ordered = ITEM.exec(line)![1] !== undefined;
      const items = take((each) => ITEM.test(each)).map((each) => parseInline(ITEM.exec(each)![2]!));
      blocks.push({ kind: "list", ordered, items });
    } else blocks.push({ kind: "paragraph", parts: parseInline(take(isPlain).join("\n")) });
  }
  return blocks;
}

function isPlain(line: string): boolean {
  return line.trim() !== "" && ![FENCE, HEADING, QUOTE, ITEM].some((form) => form.test(line));
}

const INLINE =
  /`([^`]+)`|\*\*(?=\S)(.+?)\*\*|(?<![\w*])[*_](?=\S)([^*_]+?)[*_](?!\w)|\[([^\]]+)\]\(([^)\s]+)\)|(https?:\/\/[^\s<>()]+[^\s<>().,;:!?])/s;

function parseInline(text: string): Inline[] {
  const parts: Inline[] = [];
  let rest = text;
  while (rest !== "") {
    const found = INLINE.exec(rest);
    if (found === null) break;
    if (found.index > 0) parts.push({ kind: "text", text: rest.slice(0, found.index) });
    parts.push(inlineFrom(found));
    rest = rest.slice(found.index + found[0].length);
  }
  if (rest !== "") parts.push({ kind: "text", text: rest });
  return parts;
}

function inlineFrom([whole, code, strong, emphasis, label, target, bare]: RegExpExecArray): Inline {
  if (code !== undefined) return { kind: "code", text: code };
  if (strong !== undefined) return { kind: "strong", parts: parseInline(strong) };
  if (emphasis !== undefined) return { kind: "emphasis", parts: parseInline(emphasis) };
  if (bare !== undefined) return { kind: "link", address: bare, parts: [{ kind: "text", text: bare }] };
  if (label !== undefined && target !== undefined && isSafe(target))
    return { kind: "link", address: target, parts: parseInline(label) };
  return { kind: "text", text: whole };
}

/** Only http, https and mail addresses, fragments and queries; nothing that would run a script. */
function isSafe(address: string): boolean {
  return /^(https?:\/\/|mailto:|#|\?)/i.test(address);
}
