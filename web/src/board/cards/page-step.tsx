/** The slider of the step that all pages share. */

import { useWords } from "../../i18n/words";
import { StepSlider } from "../../ui/step-slider";
import { usePageStep } from "../view/steps";

/** `steps` in ascending order, without repeats. */
export function PageStep({ steps }: { steps: readonly number[] }) {
  const say = useWords();
  const { step, at, set, follow } = usePageStep(steps);
  return (
    <StepSlider
      label={say("step.label")}
      steps={steps}
      at={at}
      onChange={set}
      follow={{ label: say("step.follow"), on: step === null, onFollow: follow }}
    />
  );
}
