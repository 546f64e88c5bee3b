/** Which project something new belongs to; nothing to choose where there is one. */

import { Choice } from "../../widgets/choice";
import { useWords } from "../../words/words";
import type { Place } from "../state/projects";

interface ProjectChoiceProps {
  places: readonly Place[];
  value: string;
  onChange(id: string): void;
}

export function ProjectChoice({ places, value, onChange }: ProjectChoiceProps) {
  const say = useWords();
  if (places.length < 2) return null;
  return (
    <Choice
      label={say("hub.field.project")}
      value={value}
      options={places.map((each) => ({ value: each.id, label: each.name }))}
      onChange={onChange}
    />
  );
}
