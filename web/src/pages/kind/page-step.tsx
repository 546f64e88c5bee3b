/** The slider of the step that all pages share. */

import { usePageStep } from "../../state/steps";
import { StepSlider } from "../../widgets/step-slider";
import { useWords } from "../../words/words";

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
