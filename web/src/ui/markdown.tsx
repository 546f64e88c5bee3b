/** Renders Markdown. Text never becomes HTML. */

import { Fragment, type ReactNode } from "react";
import { type Block, type Inline, parseMarkdown } from "../lib/markdown";
import style from "./markdown.module.css";

export function Markdown({ source }: { source: string }) {
  return (
    <div className={style.markdown} dir="auto">
      {keyed(parseMarkdown(source).map(blockElement))}
    </div>
  );
}

/** The tree is new for each text, so positions can serve as keys. */
function keyed(nodes: readonly ReactNode[]): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: see above
  return nodes.map((node, at) => <Fragment key={at}>{node}</Fragment>);
}

function blockElement(block: Block): ReactNode {
  switch (block.kind) {
    case "heading":
      return <p className={style.heading}>{inline(block.parts)}</p>;
    case "paragraph":
      return <p>{inline(block.parts)}</p>;
    case "quote":
      return <blockquote>{inline(block.parts)}</blockquote>;
    case "code":
      return <pre>{block.text}</pre>;
    case "list": {
      const items = block.items.map((item, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        <li key={at}>{inline(item)}</li>
      ));
      return block.ordered ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
  }
}

function inline(parts: readonly Inline[]): ReactNode {
  return keyed(parts.map(inlineElement));
}

function inlineElement(part: Inline): ReactNode {
  switch (part.kind) {
    case "text":
      return part.text;
    case "code":
      return <code>{part.text}</code>;
    case "strong":
      return <strong>{inline(part.parts)}</strong>;
    case "emphasis":
      return <em>{inline(part.parts)}</em>;
    case "link":
      return (
        <a href={part.address} target="_blank" rel="noreferrer noopener">
          {inline(part.parts)}
        </a>
      );
  }
}
