/** Processor and memory use, now and in the last two minutes. */

import { useEffect, useState } from "react";
import type { TensorboardDetail, TopResponse } from "../../../api/hub-schema.gen";
import { bytes } from "../../../i18n/format";
import { useWords } from "../../../i18n/words";
import { useTop } from "../../data/tensorboards";
import { cpuPercentages } from "./cpu-usage";
import style from "./tensorboard.module.css";

const KEPT = 60;

export function ResourceUsage({ board }: { board: TensorboardDetail }) {
  const say = useWords();
  const running = board.status === "Running";
  const top = useTop(board.id, running).data;
  const [past, setPast] = useState<readonly TopResponse[]>([]);
  useEffect(() => {
    if (!top) return;
    setPast((before) => (before.at(-1)?.at === top.at ? before : [...before, top].slice(-KEPT)));
  }, [top]);
  if (!running) return null;
  const memory = past.map((each) => each.process_memory_bytes).filter((each) => each !== null);
  const shares = cpuPercentages(past);
  const share = shares.at(-1);
  const latest = memory.at(-1);
  const boards = top?.process_boards ?? 0;
  return (
    <div className={style.figures}>
      <Figure
        label={say("hub.field.memory")}
        value={latest === undefined ? "–" : bytes(latest)}
        values={memory}
        testId="memory"
      />
      <Figure
        label={say("hub.field.cpu")}
        value={share === undefined ? "–" : `${share.toFixed(share < 10 ? 1 : 0)} %`}
        values={shares}
        testId="cpu"
      />
      {boards > 1 && (
        <span className={style.shared} data-testid="process-boards">
          {say("hub.detail.processBoards", { boards: boards - 1 })}
        </span>
      )}
    </div>
  );
}

interface FigureProps {
  label: string;
  value: string;
  values: readonly number[];
  testId: string;
}

function Figure({ label, value, values, testId }: FigureProps) {
  return (
    <div className={style.figure} data-testid={testId}>
      <span className={style.figureName}>{label}</span>
      <span className={style.number}>{value}</span>
      <Sparkline values={values} />
    </div>
  );
}

/** A sparkline from zero to the maximum. Decorative: the number beside it says the value. */
function Sparkline({ values }: { values: readonly number[] }) {
  const most = Math.max(...values, 0);
  if (values.length < 2 || most === 0) return <svg width="160" height="28" aria-hidden="true" />;
  const points = values.map((value, at) => `${(160 * at) / (values.length - 1)},${27 - (25 * value) / most}`);
  return (
    <svg width="160" height="28" viewBox="0 0 160 28" aria-hidden="true" focusable="false">
      <polyline points={points.join(" ")} fill="none" stroke="var(--accent)" strokeWidth="1.5" />
    </svg>
  );
}
