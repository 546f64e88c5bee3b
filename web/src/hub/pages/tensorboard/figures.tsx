/** What it takes now, and took in the last two minutes. */

import { useEffect, useState } from "react";
import type { TensorboardDetail, TopAnswer } from "../../../api/hub/schema.gen";
import { bytes } from "../../../words/format";
import { useWords } from "../../../words/words";
import { useTop } from "../../state/tensorboards";
import { cpuShares } from "./shares";
import { Spark } from "./spark";
import style from "./tensorboard.module.css";

const KEPT = 60;

export function Figures({ board }: { board: TensorboardDetail }) {
  const say = useWords();
  const running = board.status === "Running";
  const top = useTop(board.id, running).data;
  const [past, setPast] = useState<readonly TopAnswer[]>([]);
  useEffect(() => {
    if (!top) return;
    setPast((before) => (before.at(-1)?.at === top.at ? before : [...before, top].slice(-KEPT)));
  }, [top]);
  if (!running) return null;
  const memory = past.map((each) => each.process_memory_bytes).filter((each) => each !== null);
  const shares = cpuShares(past);
  const share = shares.at(-1);
  const held = memory.at(-1);
  const boards = top?.process_boards ?? 0;
  return (
    <div className={style.figures}>
      <Figure
        label={say("hub.field.memory")}
        value={held === undefined ? "–" : bytes(held)}
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
      <Spark values={values} />
    </div>
  );
}
