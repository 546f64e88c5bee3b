/** API tokens of the account. A secret is shown once. */

import { useState } from "react";
import type { CreateToken, TokenResponse } from "../../../api/hub-schema.gen";
import { dateTime, duration, listOf } from "../../../i18n/format";
import { useWords } from "../../../i18n/words";
import { Button } from "../../../ui/button";
import { Check } from "../../../ui/check";
import { Choice } from "../../../ui/choice";
import { Dialog } from "../../../ui/dialog";
import { TextBox } from "../../../ui/text-box";
import { createToken, revokeToken } from "../../api/accounts";
import { TOKENS, useTokens } from "../../data/accounts";
import { useMe } from "../../data/me";
import { queries } from "../../data/queries";
import cell from "../../ui/cells.module.css";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { Form } from "../../ui/form";
import style from "../../ui/form.module.css";
import { ListPage, RowButton } from "../../ui/list-page";
import { OneTimeSecret } from "../../ui/one-time-secret";
import { EmptyState } from "../../ui/page";

type Scope = NonNullable<CreateToken["scopes"]>[number];
const SCOPES: readonly Scope[] = ["read", "write", "admin"];
const SPANS = [7 * 86_400, 30 * 86_400, 90 * 86_400, 365 * 86_400] as const;
const again = () => queries.invalidateQueries({ queryKey: TOKENS });

export default function TokensPage() {
  const say = useWords();
  const list = useTokens();
  const [making, setMaking] = useState(false);
  const [going, setGoing] = useState<TokenResponse | null>(null);
  return (
    <ListPage
      name="tokens"
      title={say("hub.page.tokens")}
      list={list}
      rowTestId="token"
      none={
        <EmptyState title={say("hub.token.none")}>
          <p>{say("hub.token.what")}</p>
        </EmptyState>
      }
      make={{ label: say("hub.token.new"), onClick: () => setMaking(true) }}
      columns={[
        {
          id: "name",
          title: say("hub.field.name"),
          cell: (each) => (
            <>
              <bdi className={cell.strong}>{each.name}</bdi>
              <bdi className={`${cell.code} ${cell.whole}`}>{each.shown}…</bdi>
            </>
          ),
        },
        {
          id: "scopes",
          title: say("hub.token.scopes"),
          cell: (each) => listOf(each.scopes.map((scope) => say(`hub.scope.${scope}`))),
        },
        {
          id: "created",
          title: say("hub.field.created"),
          wide: true,
          cell: (each) => dateTime(each.created_at),
        },
        {
          id: "used",
          title: say("hub.field.lastUsed"),
          wide: true,
          cell: (each) => (each.last_used_at === null ? "–" : dateTime(each.last_used_at)),
        },
        {
          id: "expires",
          title: say("hub.token.expires"),
          cell: (each) => (each.expires_at === null ? say("hub.span.never") : dateTime(each.expires_at)),
        },
        {
          id: "tools",
          title: say("hub.field.menu"),
          tools: true,
          cell: (each) => (
            <RowButton
              icon="trash"
              label={say("hub.token.revoke", { name: each.name })}
              onClick={() => setGoing(each)}
            />
          ),
        },
      ]}
    >
      {making && <NewToken onClose={() => setMaking(false)} />}
      {going && (
        <ConfirmDialog
          title={say("hub.token.revoke", { name: going.name })}
          verb={say("hub.share.revoke")}
          onClose={() => setGoing(null)}
          onConfirm={() => revokeToken(going.id).then(again)}
        >
          <p>{say("hub.token.revokeWhat")}</p>
        </ConfirmDialog>
      )}
    </ListPage>
  );
}

function NewToken({ onClose }: { onClose(): void }) {
  const say = useWords();
  const memberships = useMe().data?.memberships ?? [];
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<ReadonlySet<Scope>>(new Set(["read", "write"]));
  const [project, setProject] = useState("");
  const [expires, setExpires] = useState(String(SPANS[2]));
  const [created, setCreated] = useState<TokenResponse | null>(null);
  const toggle = (scope: Scope, on: boolean) =>
    setScopes(new Set(SCOPES.filter((each) => (each === scope ? on : scopes.has(each)))));
  const send = async () => {
    setCreated(
      await createToken({
        name: name.trim(),
        scopes: [...scopes],
        project,
        expires_secs: expires === "0" ? null : Number(expires),
      }),
    );
    await again();
  };
  return (
    <Dialog title={say("hub.token.new")} closeLabel={say("action.close")} open onClose={onClose}>
      {created ? (
        <div className={style.form}>
          <OneTimeSecret label={created.name} secret={created.secret} hint={say("hub.token.once")} />
          <div className={style.foot}>
            <Button variant="primary" onClick={onClose}>
              {say("action.close")}
            </Button>
          </div>
        </div>
      ) : (
        <Form
          verb={say("hub.new.create")}
          ready={name.trim() !== "" && scopes.size > 0}
          onSend={send}
          onCancel={onClose}
        >
          <TextBox label={say("hub.field.name")} value={name} maxLength={100} onChange={setName} />
          <fieldset className={style.checks}>
            <legend>{say("hub.token.scopes")}</legend>
            {SCOPES.map((scope) => (
              <label key={scope} className={style.check}>
                <Check
                  checked={scopes.has(scope)}
                  onChange={(event) => toggle(scope, event.target.checked)}
                />
                {say(`hub.scopeHint.${scope}`)}
              </label>
            ))}
          </fieldset>
          <div className={style.row}>
            <Choice
              label={say("hub.token.expires")}
              value={expires}
              options={[
                ...SPANS.map((secs) => ({ value: String(secs), label: duration(secs) })),
                { value: "0", label: say("hub.span.never") },
              ]}
              onChange={setExpires}
            />
            <Choice
              label={say("hub.field.project")}
              value={project}
              options={[
                { value: "", label: say("hub.token.anyProject") },
                ...memberships.map((each) => ({
                  value: each.project,
                  label: each.display_name || each.name,
                })),
              ]}
              onChange={setProject}
            />
          </div>
        </Form>
      )}
    </Dialog>
  );
}
