/** Chooses an account and its role: it is added at once, or invited. */

import { useState } from "react";
import type { MemberResponse } from "../../../api/hub-schema.gen";
import { useWords } from "../../../i18n/words";
import { Choice } from "../../../ui/choice";
import { Dialog } from "../../../ui/dialog";
import { TextBox } from "../../../ui/text-box";
import { Form } from "../../ui/form";

export type Role = MemberResponse["role"];
export const ROLES: readonly Role[] = ["owner", "admin", "editor", "viewer"];

interface MemberDialogProps {
  title: string;
  /** Label of the button that sends it. */
  verb: string;
  /** Hint below the text box for the account. */
  hint: string;
  roles: readonly Role[];
  /** If it rejects, the error is shown in the dialog, which stays open. */
  onSend(account: string, role: Role): Promise<void>;
  onClose(): void;
}

export function MemberDialog({ title, verb, hint, roles, onSend, onClose }: MemberDialogProps) {
  const say = useWords();
  const [account, setAccount] = useState("");
  const [role, setRole] = useState<Role>("editor");
  const send = async () => {
    await onSend(account.trim(), role);
    onClose();
  };
  return (
    <Dialog title={title} closeLabel={say("action.close")} open onClose={onClose}>
      <Form verb={verb} ready={account.trim() !== ""} onSend={send} onCancel={onClose}>
        <TextBox
          label={say("hub.project.account")}
          hint={hint}
          autoCapitalize="none"
          value={account}
          onChange={setAccount}
        />
        <Choice
          label={say("hub.field.role")}
          hint={say(`hub.roleHint.${role}`)}
          value={role}
          options={roles.map((value) => ({ value, label: say(`hub.role.${value}`) }))}
          onChange={(value) => setRole(value as Role)}
        />
      </Form>
    </Dialog>
  );
}
