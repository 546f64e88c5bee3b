import { useEffect, useRef } from "react";
import type { TensorboardDetail } from "../../../api/hub/schema.gen";
import { useWords } from "../../../words/words";
import { Fault, Nothing } from "../../parts/page";
import { useLogs } from "../../state/tensorboards";
import style from "./tensorboard.module.css";

/** Near enough to the end to be taken along. */
const NEAR_PX = 40;

/** What its server says, followed while one looks at the end. */
export function Logs({ board }: { board: TensorboardDetail }) {
  const say = useWords();
  const { data, error, refetch } = useLogs(board.id);
  const box = useRef<HTMLPreElement>(null);
  const atEnd = useRef(true);
  const lines = data?.lines ?? [];
  // biome-ignore lint/correctness/useExhaustiveDependencies: lines that came are what it follows
  useEffect(() => {
    if (box.current && atEnd.current) box.current.scrollTop = box.current.scrollHeight;
  }, [lines.length]);
  if (error && !data) return <Fault fault={error} onRetry={() => void refetch()} />;
  if (data && lines.length === 0) return <Nothing title={say("hub.detail.noLogs")} />;
  return (
    <pre
      ref={box}
      className={style.logs}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
      tabIndex={0}
      role="log"
      aria-live="off"
      aria-label={say("hub.part.logs")}
      data-testid="logs"
      lang="en"
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        atEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_PX;
      }}
    >
      {lines.join("\n")}
    </pre>
  );
}
