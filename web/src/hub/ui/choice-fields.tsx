/** Fields that choose a project or a credential; the project field is hidden where there is only one. */

import { useWords } from "../../i18n/words";
import { Choice } from "../../ui/choice";
import { type ProjectOption, useCredentials } from "../data/projects";

interface ProjectChoiceProps {
  places: readonly ProjectOption[];
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

interface CredentialChoiceProps {
  /** The project of the credentials; "" for all of them. */
  project: string;
  value: string;
  onChange(value: string): void;
}

export function CredentialChoice({ project, value, onChange }: CredentialChoiceProps) {
  const say = useWords();
  const known = useCredentials(project);
  // A credential that the administrator has removed is still the current choice.
  const names = value === "" || known.includes(value) ? known : [value, ...known];
  return (
    <Choice
      label={say("hub.dataset.credential")}
      hint={say("hub.dataset.credentialHint")}
      value={value}
      options={[
        { value: "", label: say("hub.dataset.noCredential") },
        ...names.map((each) => ({ value: each, label: each })),
      ]}
      onChange={onChange}
    />
  );
}
