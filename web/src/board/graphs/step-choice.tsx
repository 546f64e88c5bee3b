/** Which value of a graph tag is shown, or compared with. */

import { useWords } from "../../i18n/words";
import { Select } from "../../ui/select";
import type { RunGraph } from "./graph-data";
import { stepText } from "./graph-values";

interface StepChoiceProps {
  chosen: RunGraph;
  values: readonly RunGraph[];
  onChange(value: RunGraph): void;
}

export function StepChoice({ chosen, values, onChange }: StepChoiceProps) {
  const say = useWords();
  return (
    <Select
      label={say("step.label")}
      value={chosen.info.at}
      options={values.map((value) => ({ value: value.info.at, label: stepText(value, values) }))}
      onChange={(at) => {
        const value = values.find(({ info }) => info.at === at);
        if (value) onChange(value);
      }}
    />
  );
}
