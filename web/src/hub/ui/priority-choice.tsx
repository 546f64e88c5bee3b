/** A choice among the priorities of jobs. */

import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { Choice } from "../../ui/choice";

const PRIORITIES = [9, 8, 7, 6, 5, 4, 3, 2, 1];
const USUAL_PRIORITY = 5;

export function PriorityChoice({ value, onChange }: { value: string; onChange(value: string): void }) {
  const say = useWords();
  return (
    <Choice
      label={say("hub.job.priority")}
      hint={say("hub.job.priorityHint")}
      value={value}
      options={PRIORITIES.map((level) => ({
        value: String(level),
        label: level === USUAL_PRIORITY ? say("hub.job.priorityDefault", { level }) : count(level),
      }))}
      onChange={onChange}
    />
  );
}
