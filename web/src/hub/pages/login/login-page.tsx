/** Login by password or by the organization's identity provider. */

import { useState } from "react";
import { useWords } from "../../../i18n/words";
import { TextBox } from "../../../ui/text-box";
import { logIn } from "../../api/accounts";
import { setCurrentAccount, useEntry } from "../../data/me";
import { useSession } from "../../data/queries";
import { address, useQuery } from "../../data/route";
import { CenteredPage } from "../../ui/centered-page";
import { Form } from "../../ui/form";
import style from "./login.module.css";
import { redirectTo, safeRedirect } from "./login-redirect";

/** Reasons of the server for a failed external login. */
const REASONS = ["provider", "not_begun", "refused", "disabled", "not_allowed", "no_account"] as const;

export function LoginPage() {
  const say = useWords();
  const entry = useEntry();
  const query = useQuery();
  const next = safeRedirect(query.get("next"));
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const send = async () => {
    setCurrentAccount(await logIn({ name: name.trim(), password }));
    useSession.setState({ ended: false });
    redirectTo(next);
  };
  const outside = entry.data?.oidc ?? "";
  // Nobody can log in before there is an account.
  const empty = entry.data?.setup === true;
  const byPassword = !empty && entry.data?.password !== false;
  const failed = query.get("error") === "oidc";
  const reason = REASONS.find((each) => each === query.get("reason")) ?? "provider";
  return (
    <CenteredPage title={say(empty ? "hub.setup.title" : "hub.login.title")} busy={entry.isPending}>
      {empty && <p className={style.text}>{say("hub.setup.noKey")}</p>}
      {failed && (
        <p role="alert" className={style.fault}>
          {say(`hub.outside.${reason}`)}
        </p>
      )}
      {byPassword && (
        <Form verb={say("hub.login.verb")} onSend={send} wide>
          <TextBox
            label={say("hub.login.name")}
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            required
            value={name}
            onChange={setName}
          />
          <TextBox
            label={say("hub.login.password")}
            name="password"
            type="password"
            autoComplete="current-password"
            required
            value={password}
            onChange={setPassword}
          />
        </Form>
      )}
      {outside && (
        <a
          className={style.outside}
          href={address(`/api/v1/oidc/start?next=${encodeURIComponent(next || "/")}`)}
          data-testid="oidc"
        >
          {say("hub.login.outside", { name: hostOf(outside) })}
        </a>
      )}
    </CenteredPage>
  );
}

/** The host of the identity provider. */
function hostOf(issuer: string): string {
  return URL.canParse(issuer) ? new URL(issuer).host : issuer;
}
