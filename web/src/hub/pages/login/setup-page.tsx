/** Creates the first account, with the one-time link that the hub printed when it started. */

import { useState } from "react";
import { useWords } from "../../../i18n/words";
import { TextBox } from "../../../ui/text-box";
import { setUp } from "../../api/accounts";
import { setCurrentAccount, useEntry } from "../../data/me";
import { useSession } from "../../data/queries";
import { go, useFragment } from "../../data/route";
import { CenteredPage } from "../../ui/centered-page";
import { Form } from "../../ui/form";
import { Link } from "../../ui/link";
import style from "./login.module.css";

const SHORTEST = 10;

export function SetupPage() {
  const say = useWords();
  const entry = useEntry();
  const key = new URLSearchParams(useFragment()).get("key") ?? "";
  const [name, setName] = useState("admin");
  const [displayName, setDisplayName] = useState("");
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const send = async () => {
    setCurrentAccount(await setUp({ key, name: name.trim(), password, display_name: displayName.trim() }));
    useSession.setState({ ended: false });
    go("/", { replace: true });
  };
  if (entry.data && !entry.data.setup)
    return (
      <CenteredPage title={say("hub.setup.done")}>
        <p className={style.text}>{say("hub.setup.doneWhat")}</p>
        <Link className={style.outside} to="/login">
          {say("hub.login.title")}
        </Link>
      </CenteredPage>
    );
  if (key === "")
    return (
      <CenteredPage title={say("hub.setup.title")} busy={entry.isPending}>
        <p className={style.text}>{say("hub.setup.noKey")}</p>
      </CenteredPage>
    );
  const short = password !== "" && password.length < SHORTEST;
  const differ = again !== "" && again !== password;
  return (
    <CenteredPage title={say("hub.setup.title")} busy={entry.isPending}>
      <p className={style.text}>{say("hub.setup.what")}</p>
      <Form
        verb={say("hub.setup.verb")}
        ready={name.trim() !== "" && password.length >= SHORTEST && again === password}
        onSend={send}
        wide
      >
        <TextBox
          label={say("hub.login.name")}
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          maxLength={40}
          value={name}
          onChange={setName}
        />
        <TextBox
          label={say("hub.field.displayName")}
          autoComplete="name"
          maxLength={200}
          value={displayName}
          onChange={setDisplayName}
        />
        <TextBox
          label={say("hub.login.password")}
          name="password"
          type="password"
          autoComplete="new-password"
          hint={say("hub.password.rule", { length: SHORTEST })}
          fault={short ? say("hub.password.rule", { length: SHORTEST }) : null}
          value={password}
          onChange={setPassword}
        />
        <TextBox
          label={say("hub.password.again")}
          type="password"
          autoComplete="new-password"
          fault={differ ? say("hub.password.differ") : null}
          value={again}
          onChange={setAgain}
        />
      </Form>
    </CenteredPage>
  );
}
