/** Shows the top of what is tall, and the rest when asked. */

import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { Button } from "../../widgets/button";
import { useWords } from "../../words/words";
import style from "./folded.module.css";

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
        <Button look="quiet" size="small" icon="down" aria-expanded={open} onClick={() => setOpen(!open)}>
          {say(open ? "text.fold" : "text.unfold")}
        </Button>
      )}
    </>
  );
}
