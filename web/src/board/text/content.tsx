/** Renders a text: as sanitized HTML or raw, as a table of texts, and folded where it is long. */

import { type MouseEvent, type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import style from "./cells.module.css";
import type { TextForm, TextValue } from "./text-value";

/** `form`: the format of the cells. */
export function Cells({ text, form }: { text: TextValue; form: TextForm }) {
  const say = useWords();
  const cell = (content: string): ReactNode =>
    form === "markdown" ? <SafeHtml html={content} /> : <Raw text={content} />;
  if (text.cells.every((each) => each.trim() === ""))
    return <p className={style.empty}>{say("text.empty")}</p>;
  if (text.rows === 1 && text.columns === 1) return cell(text.cells[0] ?? "");
  const rows: string[][] = [];
  for (let at = 0; at < text.cells.length; at += text.columns)
    rows.push(text.cells.slice(at, at + text.columns));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: wide tables are scrolled by keys too
    <section className={style.wide} tabIndex={0} aria-label={say("text.tableLabel")}>
      <table className={style.table}>
        <tbody>
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other name than its place
            <tr key={at}>
              {row.map((content, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: as above
                <td key={place}>{cell(content)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export function Raw({ text }: { text: string }) {
  return (
    <pre className={style.raw} dir="auto">
      {text}
    </pre>
  );
}

function SafeHtml({ html }: { html: string }) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: listens to the links inside, which are elements of their own
    // biome-ignore lint/a11y/useKeyWithClickEvents: a link is pressed by Enter as well, and tells so as a click
    <div
      className={style.text}
      dir="auto"
      onClick={openElsewhere}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised by the server; see above
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}

function openElsewhere(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link) return;
  event.preventDefault();
  const address = link.getAttribute("href") ?? "";
  if (/^(https?:|mailto:)/i.test(address)) window.open(address, "_blank", "noopener,noreferrer");
}

export function Folded({ children }: { children: ReactNode }) {
  const say = useWords();
  const box = useRef<HTMLDivElement>(null);
  const [tall, setTall] = useState(false);
  const [open, setOpen] = useState(false);
  useLayoutEffect(() => {
    const element = box.current!;
    const measure = () => setTall(element.scrollHeight > element.clientHeight + 1 || open);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    measure();
    return () => observer.disconnect();
  }, [open]);
  return (
    <>
      <div ref={box} className={open ? style.open : style.folded} data-tall={tall && !open}>
        <div>{children}</div>
      </div>
      {tall && (
        <Button variant="quiet" size="small" icon="down" aria-expanded={open} onClick={() => setOpen(!open)}>
          {say(open ? "text.fold" : "text.unfold")}
        </Button>
      )}
    </>
  );
}
