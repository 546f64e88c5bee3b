/** Accounts, for administrators. */

import { useState } from "react";
import type { AccountResponse } from "../../../api/hub-schema.gen";
import { dateTime } from "../../../i18n/format";
import { useWords } from "../../../i18n/words";
import { Button } from "../../../ui/button";
import { Check } from "../../../ui/check";
import { Choice } from "../../../ui/choice";
import { Dialog } from "../../../ui/dialog";
import { TextBox } from "../../../ui/text-box";
import { changeAccount, createAccount } from "../../api/accounts";
import { ACCOUNTS, useAccounts } from "../../data/accounts";
import { useMe } from "../../data/me";
import { queries } from "../../data/queries";
import { Form } from "../../ui/form";
import style from "../../ui/form.module.css";
import { ListPage, NameCell, RowButton } from "../../ui/list-page";
import { AccountPermissions, type OverrideChanges, PermissionsDialog } from "./permissions";

const OF_HUB = -1;
const again = () => queries.invalidateQueries({ queryKey: ACCOUNTS });

export default function AccountsPage() {
  const say = useWords();
  const me = useMe().data;
  const list = useAccounts();
  const [making, setMaking] = useState(false);
  const [editing, setEditing] = useState<AccountResponse | null>(null);
  const [permitting, setPermitting] = useState(false);
  return (
    <ListPage
      name="accounts"
      title={say("hub.page.accounts")}
      list={list}
      rowTestId="account-row"
      make={
        me?.hub_rights.includes("accounts.manage")
          ? { label: say("hub.account.new"), onClick: () => setMaking(true) }
          : null
      }
      beside={
        me?.hub_rights.includes("accounts.manage") && (
          <Button data-testid="permissions" onClick={() => setPermitting(true)}>
            {say("hub.permission.title")}
          </Button>
        )
      }
      columns={[
        {
          id: "name",
          title: say("hub.field.name"),
          cell: (each) => <NameCell name={each.name} shown={each.display_name} />,
        },
        {
          id: "email",
          title: say("hub.account.email"),
          wide: true,
          cell: (each) => <bdi>{each.email || "–"}</bdi>,
        },
        {
          id: "kind",
          title: say("hub.source.kind"),
          cell: (each) =>
            each.disabled
              ? say("hub.account.disabled")
              : say(each.administrator ? "hub.account.administrator" : `hub.accountKind.${each.kind}`),
        },
        { id: "limit", title: say("hub.account.limit"), wide: true, cell: (each) => String(each.limit) },
        {
          id: "created",
          title: say("hub.field.created"),
          wide: true,
          cell: (each) => dateTime(each.created_at),
        },
        {
          id: "tools",
          title: say("hub.field.menu"),
          tools: true,
          cell: (each) => (
            <RowButton
              icon="pencil"
              label={say("hub.account.edit", { name: each.name })}
              onClick={() => setEditing(each)}
            />
          ),
        },
      ]}
    >
      {permitting && <PermissionsDialog onClose={() => setPermitting(false)} />}
      {making && <NewAccount onClose={() => setMaking(false)} />}
      {editing && <EditAccount account={editing} onClose={() => setEditing(null)} />}
    </ListPage>
  );
}

function NewAccount({ onClose }: { onClose(): void }) {
  const say = useWords();
  const [name, setName] = useState("");
  const [displayName, setDisplayName] = useState("");
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [kind, setKind] = useState<AccountResponse["kind"]>("user");
  const [administrator, setAdministrator] = useState(false);
  const send = async () => {
    await createAccount({
      name: name.trim(),
      display_name: displayName.trim(),
      email: email.trim(),
      password: password === "" ? null : password,
      kind,
      administrator,
    });
    await again();
    onClose();
  };
  return (
    <Dialog title={say("hub.account.new")} closeLabel={say("action.close")} open onClose={onClose}>
      <Form verb={say("hub.new.create")} ready={name.trim().length >= 3} onSend={send} onCancel={onClose}>
        <div className={style.row}>
          <TextBox
            label={say("hub.login.name")}
            autoCapitalize="none"
            maxLength={40}
            value={name}
            onChange={setName}
          />
          <TextBox
            label={say("hub.field.displayName")}
            maxLength={200}
            value={displayName}
            onChange={setDisplayName}
          />
        </div>
        <div className={style.row}>
          <TextBox
            label={say("hub.account.email")}
            type="email"
            maxLength={320}
            value={email}
            onChange={setEmail}
          />
          <Choice
            label={say("hub.source.kind")}
            value={kind}
            options={[
              { value: "user", label: say("hub.accountKind.user") },
              { value: "service", label: say("hub.accountKind.service") },
            ]}
            onChange={(value) => setKind(value === "service" ? "service" : "user")}
          />
        </div>
        <TextBox
          label={say("hub.login.password")}
          hint={say("hub.account.passwordHint")}
          type="password"
          autoComplete="new-password"
          value={password}
          onChange={setPassword}
        />
        <label className={style.check}>
          <Check checked={administrator} onChange={(event) => setAdministrator(event.target.checked)} />
          {say("hub.account.administrator")}
        </label>
      </Form>
    </Dialog>
  );
}

function EditAccount({ account, onClose }: { account: AccountResponse; onClose(): void }) {
  const say = useWords();
  const mine = useMe().data?.account.id === account.id;
  const [displayName, setDisplayName] = useState(account.display_name);
  const [email, setEmail] = useState(account.email);
  const [limit, setLimit] = useState(account.own_limit === null ? "" : String(account.own_limit));
  const [password, setPassword] = useState("");
  const [administrator, setAdministrator] = useState(account.administrator);
  const [disabled, setDisabled] = useState(account.disabled);
  const [permissions, setPermissions] = useState<OverrideChanges>({});
  const wrong = limit !== "" && !/^\d{1,6}$/.test(limit);
  const send = async () => {
    await changeAccount(account.id, {
      display_name: displayName.trim(),
      email: email.trim(),
      own_limit: limit === "" ? OF_HUB : Number(limit),
      ...(password !== "" && { password }),
      ...(!mine && { administrator, disabled }),
      ...(Object.keys(permissions).length > 0 && { permissions }),
    });
    await again();
    onClose();
  };
  return (
    <Dialog
      title={say("hub.account.edit", { name: account.name })}
      closeLabel={say("action.close")}
      open
      onClose={onClose}
    >
      <Form verb={say("action.save")} ready={!wrong} onSend={send} onCancel={onClose}>
        <div className={style.row}>
          <TextBox
            label={say("hub.field.displayName")}
            maxLength={200}
            value={displayName}
            onChange={setDisplayName}
          />
          <TextBox
            label={say("hub.account.email")}
            type="email"
            maxLength={320}
            value={email}
            onChange={setEmail}
          />
        </div>
        <div className={style.row}>
          <TextBox
            label={say("hub.account.limit")}
            hint={say("hub.account.limitHint")}
            inputMode="numeric"
            value={limit}
            fault={wrong ? say("hub.account.limitWrong") : null}
            onChange={setLimit}
          />
          <TextBox
            label={say("hub.account.newPassword")}
            type="password"
            autoComplete="new-password"
            value={password}
            onChange={setPassword}
          />
        </div>
        {!administrator && (
          <AccountPermissions own={account.own_permissions} changes={permissions} onChange={setPermissions} />
        )}
        {!mine && (
          <div>
            <label className={style.check}>
              <Check checked={administrator} onChange={(event) => setAdministrator(event.target.checked)} />
              {say("hub.account.administrator")}
            </label>
            <label className={style.check}>
              <Check checked={disabled} onChange={(event) => setDisabled(event.target.checked)} />
              {say("hub.account.disable")}
            </label>
          </div>
        )}
      </Form>
    </Dialog>
  );
}
