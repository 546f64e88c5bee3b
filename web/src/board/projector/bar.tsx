/** The bar of the projector: tensor, method, dimensions and colours. */

import type { ReactNode } from "react";
import type { TensorInfo } from "../../api/projector";
import { say, useWords } from "../../i18n/words";
import { formatStep } from "../../lib/number";
import { Segmented } from "../../ui/segmented";
import { Select } from "../../ui/select";
import { METHODS, type Method, type ProjectorView } from "../view/projector-view";
import { commit, useView } from "../view/view";
import style from "./bar.module.css";
import { canColor } from "./coloring";
import { familyOf, type Tensor, tidyName } from "./tensors";

export function show(patch: Partial<ProjectorView>): void {
  commit({ projector: { ...useView.getState().projector, ...patch } });
}

const PROPER: Partial<Record<Method, string>> = { pca: "PCA", umap: "UMAP", tsne: "t-SNE" };

export function methodName(method: Method): string {
  return PROPER[method] ?? say("projector.method.custom");
}

/** Stands for colouring by the user's groups; no column of a file has this name. */
export const GROUPS = "\u0000groups";

interface BarProps {
  tensors: readonly TensorInfo[];
  info: Pick<TensorInfo, "run" | "name" | "tensor">;
  /** Controls beside the choice of the tensor. */
  children?: ReactNode;
}

export function Bar({ tensors, info, children }: BarProps) {
  const say = useWords();
  return (
    <div className={style.bar} role="toolbar" aria-label={say("projector.bar")}>
      <div className={style.tensor}>
        <TensorChoice tensors={tensors} info={info} />
      </div>
      <StepChoice tensors={tensors} info={info} />
      {children}
    </div>
  );
}

interface ColorChoiceProps {
  tensor: Tensor;
  color: string | null;
  hasGroups: boolean;
}

/** Method, dimensions and colour, as far as they fit. All of them are also in the popover of the method. */
export function Choices(props: ColorChoiceProps) {
  const say = useWords();
  const { method, dims } = useView((view) => view.projector);
  const methods = METHODS.map((value) => ({ value, label: methodName(value) }));
  return (
    <>
      <div className={style.wide}>
        <Segmented
          label={say("projector.method")}
          value={method}
          options={methods}
          onChange={(value) => show({ method: value })}
        />
      </div>
      <div className={style.narrow}>
        <Select
          label={say("projector.method")}
          value={method}
          options={methods}
          onChange={(value) => show({ method: value as Method })}
        />
      </div>
      {method !== "custom" && (
        <div className={style.dims}>
          <DimsChoice dims={dims} />
        </div>
      )}
      <div className={style.color}>
        <ColorChoice {...props} />
      </div>
      <div className={style.grow} />
    </>
  );
}

function TensorChoice({ tensors, info }: Pick<BarProps, "tensors" | "info">) {
  const say = useWords();
  const runs = new Set(tensors.map(({ run }) => run));
  const families = new Map(tensors.map((each) => [familyOf(each), each]));
  const options = [...families].map(([value, each]) => ({
    value,
    label: runs.size > 1 ? `${tidyName(each.tensor)} · ${each.run}` : tidyName(each.tensor),
  }));
  return (
    <Select
      label={say("projector.tensor")}
      value={familyOf(info)}
      options={options}
      onChange={(family) => {
        // Use its last step, which can be shown if any can.
        const all = tensors.filter((each) => familyOf(each) === family);
        const next = all.findLast(({ problem }) => problem === null) ?? all.at(-1);
        if (next) show({ run: next.run, tensor: next.name, color: null, label: null });
      }}
    />
  );
}

/** Selects a step of the tensor; all other settings stay. */
function StepChoice({ tensors, info }: Pick<BarProps, "tensors" | "info">) {
  const say = useWords();
  const all = tensors.filter((each) => familyOf(each) === familyOf(info));
  if (all.length < 2) return null;
  return (
    <div className={style.step}>
      <Select
        label={say("step.label")}
        value={info.name}
        options={all.map(({ name, step }) => ({
          value: name,
          label: step === null ? name : formatStep(step),
        }))}
        onChange={(name) => show({ run: info.run, tensor: name })}
      />
    </div>
  );
}

export function DimsChoice({ dims }: { dims: 2 | 3 }) {
  const say = useWords();
  return (
    <Segmented
      label={say("projector.dims")}
      value={String(dims)}
      options={["2", "3"].map((value) => ({ value, label: `${value}D` }))}
      onChange={(value) => show({ dims: value === "3" ? 3 : 2 })}
    />
  );
}

export function ColorChoice({ tensor, color, hasGroups }: ColorChoiceProps) {
  const say = useWords();
  const columns = tensor.columns.filter(canColor);
  return (
    <Select
      label={say("projector.color")}
      value={color ?? ""}
      options={[
        { value: "", label: say("projector.noColor") },
        ...columns.map(({ name }) => ({ value: name, label: say("projector.colorBy", { column: name }) })),
        ...(hasGroups ? [{ value: GROUPS, label: say("projector.groups") }] : []),
      ]}
      onChange={(column) => show({ color: column })}
    />
  );
}
