/** Parameters of methods and of the display, behind one button of the bar. */

import { useEffect, useState } from "react";
import { useWords, type WordId } from "../../i18n/words";
import { Button } from "../../ui/button";
import { Check } from "../../ui/check";
import { Popover } from "../../ui/popover";
import { Select } from "../../ui/select";
import { ENDS, LIMITS, MARKS, MAX_COMPONENTS, type Marks, type ProjectorView } from "../view/projector-view";
import { useView } from "../view/view";
import { ColorChoice, DimsChoice, methodName, show } from "./bar";
import style from "./parameters.module.css";
import type { Tensor } from "./tensors";

interface ParametersProps {
  tensor: Tensor;
  color: string | null;
  hasGroups: boolean;
  label: string | null;
  variance: readonly number[] | null;
}

export function Parameters(props: ParametersProps) {
  const say = useWords();
  return (
    <Popover
      label={say("projector.parameters")}
      trigger={<Button icon="sliders" label={say("projector.parameters")} />}
    >
      <div className={style.sheet}>
        <Method {...props} />
        <AppearanceFields {...props} />
      </div>
    </Popover>
  );
}

function Method({ tensor, variance }: ParametersProps) {
  const say = useWords();
  const view = useView((state) => state.projector);
  return (
    <fieldset className={style.group}>
      <legend>{methodName(view.method)}</legend>
      {view.method === "pca" && <Components view={view} tensor={tensor} variance={variance} />}
      {view.method === "umap" && (
        <>
          <NumberField name="neighbors" word="projector.umapNeighbors" step={1} />
          <NumberField name="minDist" word="projector.minDist" step={0.05} />
        </>
      )}
      {view.method === "tsne" && (
        <>
          <NumberField name="perplexity" word="projector.perplexity" step={1} />
          <NumberField name="learningRate" word="projector.learningRate" step={10} />
        </>
      )}
      {view.method === "custom" && <Ends view={view} />}
      <label className={style.check} title={say("projector.spherizeTip")}>
        <Check checked={view.spherize} onChange={(event) => show({ spherize: event.target.checked })} />
        {say("projector.spherize")}
      </label>
    </fieldset>
  );
}

function AppearanceFields({ tensor, color, hasGroups, label }: ParametersProps) {
  const say = useWords();
  const view = useView((state) => state.projector);
  const columns = tensor.columns;
  const marks = MARKS.filter((each) => each !== "images" || tensor.sprite !== null);
  return (
    <fieldset className={style.group}>
      <legend>{say("projector.look")}</legend>
      {view.method !== "custom" && (
        <div className={style.field}>
          <span>{say("projector.dims")}</span>
          <DimsChoice dims={view.dims} />
        </div>
      )}
      <div className={style.field}>
        <span>{say("projector.color")}</span>
        <ColorChoice tensor={tensor} color={color} hasGroups={hasGroups} />
      </div>
      {columns.length > 0 && (
        <div className={style.field}>
          <span>{say("projector.label")}</span>
          <Select
            label={say("projector.label")}
            value={label ?? ""}
            options={columns.map(({ name }) => ({ value: name, label: name || "–" }))}
            onChange={(name) => show({ label: name })}
          />
        </div>
      )}
      <div className={style.field}>
        <span>{say("projector.marks")}</span>
        <Select
          label={say("projector.marks")}
          value={view.marks}
          options={marks.map((value) => ({ value, label: say(`projector.marks.${value}`) }))}
          onChange={(value) => show({ marks: value as Marks })}
        />
      </div>
    </fieldset>
  );
}

const AXES = ["x", "y", "z"] as const;

/** The components on each axis, with their explained variance. */
function Components({
  view,
  tensor,
  variance,
}: {
  view: ProjectorView;
  tensor: Tensor;
  variance: readonly number[] | null;
}) {
  const say = useWords();
  const most = Math.min(MAX_COMPONENTS, tensor.dims);
  const options = Array.from({ length: most }, (_, at) => {
    const part = variance?.[at];
    const name = say("projector.component", { number: at + 1 });
    return { value: String(at), label: part === undefined ? name : `${name} · ${(100 * part).toFixed(1)} %` };
  });
  return AXES.slice(0, view.dims).map((axis, at) => (
    <div key={axis} className={style.field}>
      <span>{axis.toUpperCase()}</span>
      <Select
        label={say("projector.componentOn", { axis: axis.toUpperCase() })}
        value={String(view.components[at])}
        options={options}
        onChange={(value) =>
          show({
            components: view.components.with(at, Number(value)) as unknown as ProjectorView["components"],
          })
        }
      />
    </div>
  ));
}

/** A number that takes effect on Enter, or when the box loses the focus. */
function NumberField({ name, word, step }: { name: keyof typeof LIMITS; word: WordId; step: number }) {
  const say = useWords();
  const value = useView((view) => view.projector[name]);
  const [text, setText] = useState(String(value));
  useEffect(() => setText(String(value)), [value]);
  const [least, most] = LIMITS[name];
  const submit = () => {
    const next = Number(text);
    if (text.trim() !== "" && next >= least && next <= most) {
      if (next !== value) show({ [name]: next });
    } else setText(String(value));
  };
  return (
    <label className={style.field}>
      <span>{say(word)}</span>
      <input
        type="number"
        className={style.number}
        min={least}
        max={most}
        step={step}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={submit}
        onKeyDown={(event) => event.key === "Enter" && submit()}
      />
    </label>
  );
}

/** Points whose labels match are at the ends of the axes. */
function Ends({ view }: { view: ProjectorView }) {
  const say = useWords();
  const [texts, setTexts] = useState(view.ends);
  useEffect(() => setTexts(view.ends), [view.ends]);
  const submit = () => {
    if (ENDS.some((end) => texts[end] !== view.ends[end])) show({ ends: texts });
  };
  return (
    <>
      <p className={style.note}>{say("projector.endsHere")}</p>
      {ENDS.map((end) => (
        <label key={end} className={style.field}>
          <span>{say(`projector.end.${end}`)}</span>
          <input
            type="text"
            className={style.text}
            value={texts[end]}
            spellCheck={false}
            onChange={(event) => setTexts({ ...texts, [end]: event.target.value })}
            onBlur={submit}
            onKeyDown={(event) => event.key === "Enter" && submit()}
          />
        </label>
      ))}
    </>
  );
}
