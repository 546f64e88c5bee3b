/** One of the credentials that an administrator laid down, or none. */

import { Choice } from "../../widgets/choice";
import { useWords } from "../../words/words";
import { useCredentials } from "../state/credentials";

interface CredentialChoiceProps {
  /** Whose credentials; "" for all of them. */
  project: string;
  value: string;
  onChange(value: string): void;
}

export function CredentialChoice({ project, value, onChange }: CredentialChoiceProps) {
  const say = useWords();
  const known = useCredentials(project);
  // One that the administrator took away meanwhile is still what was chosen.
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
