/** Permissions of accounts beyond their roles: defaults of the hub, and overrides for one account. */

import { useState } from "react";
import type { AccountResponse, Permissions } from "../../../api/hub-schema.gen";
import { useWords } from "../../../i18n/words";
import { Check } from "../../../ui/check";
import { Choice } from "../../../ui/choice";
import { Dialog } from "../../../ui/dialog";
import { changePermissions } from "../../api/accounts";
import { PERMISSIONS, type Permission, usePermissions } from "../../data/accounts";
import { meQuery } from "../../data/me";
import { notify } from "../../data/notice";
import { queries } from "../../data/queries";
import { Form } from "../../ui/form";
import style from "../../ui/form.module.css";
import { ErrorNotice } from "../../ui/page";

export function PermissionsDialog({ onClose }: { onClose(): void }) {
  const say = useWords();
  const list = usePermissions();
  return (
    <Dialog title={say("hub.permission.title")} closeLabel={say("action.close")} open onClose={onClose}>
      {list.error && !list.data && <ErrorNotice fault={list.error} onRetry={() => void list.refetch()} />}
      {list.data && <Defaults items={list.data.items} onClose={onClose} />}
    </Dialog>
  );
}

function Defaults({ items, onClose }: { items: Permissions["items"]; onClose(): void }) {
  const say = useWords();
  const [wanted, setWanted] = useState<Partial<Record<Permission, boolean>>>({});
  const send = async () => {
    queries.setQueryData(PERMISSIONS, await changePermissions({ permissions: wanted }));
    await Promise.all(
      [["accounts"], meQuery.queryKey].map((queryKey) => queries.invalidateQueries({ queryKey })),
    );
    notify(say("hub.notice.saved"));
    onClose();
  };
  return (
    <Form verb={say("action.save")} ready={Object.keys(wanted).length > 0} onSend={send} onCancel={onClose}>
      <p className={style.hint}>{say("hub.permission.what")}</p>
      {items.map((each) => (
        <div key={each.name}>
          <label className={style.check}>
            <Check
              checked={wanted[each.name] ?? each.allowed}
              onChange={(event) => setWanted({ ...wanted, [each.name]: event.target.checked })}
            />
            {say(`hub.permission.${each.name}`)}
          </label>
          <p className={style.hint}>{say(`hub.permissionHint.${each.name}`)}</p>
        </div>
      ))}
    </Form>
  );
}

export type PermissionOverrides = AccountResponse["own_permissions"];
/** As sent: null removes an override. */
export type OverrideChanges = Partial<Record<Permission, boolean | null>>;

interface OwnProps {
  own: PermissionOverrides;
  changes: OverrideChanges;
  onChange(changes: OverrideChanges): void;
}

const WORDS = { hub: null, yes: true, no: false } as const;

/** For each permission: the default of the hub, or an override for this account. */
export function AccountPermissions({ own, changes, onChange }: OwnProps) {
  const say = useWords();
  const { data } = usePermissions();
  const word = (has: boolean | null | undefined) => (has == null ? "hub" : has ? "yes" : "no");
  return (
    <fieldset className={style.checks}>
      <legend>{say("hub.permission.title")}</legend>
      <div className={style.row}>
        {(data?.items ?? []).map((each) => (
          <Choice
            key={each.name}
            label={say(`hub.permission.${each.name}`)}
            value={word(each.name in changes ? changes[each.name] : own[each.name])}
            options={[
              { value: "hub", label: say(each.allowed ? "hub.permission.hubYes" : "hub.permission.hubNo") },
              { value: "yes", label: say("hub.permission.yes") },
              { value: "no", label: say("hub.permission.no") },
            ]}
            onChange={(chosen) => onChange({ ...changes, [each.name]: WORDS[chosen as keyof typeof WORDS] })}
          />
        ))}
      </div>
    </fieldset>
  );
}
