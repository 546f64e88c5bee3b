/** The footer: number of points, explained variance, and progress of the layout. */

import type { TensorList } from "../../api/projector";
import { count } from "../../i18n/format";
import { useWords, type WordId } from "../../i18n/words";
import { Button } from "../../ui/button";
import { useView } from "../view/view";
import { methodName } from "./bar";
import style from "./foot.module.css";
import { isOver } from "./layout";
import type { Tensor } from "./tensors";
import type { ShownLayout } from "./use-layout";

/** Translations of the server's progress messages before the first positions. */
const PHASES: readonly (readonly [RegExp, WordId])[] = [
  [/^loading /, "projector.phase.loading"],
  [/^finding /, "projector.phase.neighbors"],
  [/^weighing /, "projector.phase.weights"],
];

interface FootProps {
  /** Methods whose library the server lacks. */
  missing: TensorList["missing"];
  tensor: Tensor;
  layout: ShownLayout;
  /** Visible points, of those of the tensor. */
  shown: number;
  fault: string | null;
}

export function Foot({ missing, tensor, layout, shown, fault }: FootProps) {
  const say = useWords();
  const { method, dims, components } = useView((view) => view.projector);
  const { task, error } = layout;
  const parts = components.slice(0, dims).map((at) => task?.variance?.[at] ?? 0);
  const explained = task?.variance ? parts.reduce((sum, part) => sum + part, 0) : null;
  const hint = error === null ? undefined : missing.find((each) => each.method === method)?.hint;
  const failed = error?.message ?? (task?.state === "failed" ? task.message : null);
  const phase = PHASES.find(([pattern]) => pattern.test(task?.message ?? ""))?.[1];
  const trouble = fault ?? failed ?? tensor.warning;
  return (
    <div className={style.foot} data-testid="foot" data-state={task?.state ?? "asking"} data-shown={shown}>
      <span className={style.told}>
        {[
          say("projector.counts", { shown: count(shown), count: tensor.total }),
          say("projector.dimsCount", { count: tensor.dims }),
          explained === null ? null : say("projector.variance", { percent: (100 * explained).toFixed(1) }),
          task && task.points < task.total ? say("projector.sampled", { points: count(task.points) }) : null,
        ]
          .filter((part) => part !== null)
          .join(" · ")}
      </span>
      {trouble !== null && (
        <span className={style.fault} role="alert">
          {trouble}
          {hint !== undefined && <code>{hint}</code>}
          {failed !== null && (
            <Button size="small" variant="quiet" icon="reload" onClick={layout.again}>
              {say("action.retry")}
            </Button>
          )}
        </span>
      )}
      {task !== null && !isOver(task) && (
        <span className={style.progress} data-testid="layout-progress">
          <span>{methodName(method)}</span>
          <progress
            max={1}
            value={task.state === "queued" ? undefined : task.progress}
            aria-label={say("projector.progress")}
          />
          <span className={style.percent}>
            {task.state === "queued" ? say("projector.queued") : `${Math.floor(100 * task.progress)} %`}
          </span>
          {phase !== undefined && <span>{say(phase)}</span>}
          <Button size="small" variant="quiet" onClick={layout.cancel}>
            {say("action.cancel")}
          </Button>
        </span>
      )}
      {task?.state === "cancelled" && (
        <span className={style.progress}>
          <span>{say("projector.cancelled")}</span>
          <Button size="small" variant="quiet" icon="reload" onClick={layout.again}>
            {say("projector.again")}
          </Button>
        </span>
      )}
    </div>
  );
}
