/** Settings of the own account: name, language, password. */

import { useState } from "react";
import type { Me } from "../../../api/hub-schema.gen";
import { LANGUAGES, useWords } from "../../../i18n/words";
import { Choice } from "../../../ui/choice";
import { TextBox } from "../../../ui/text-box";
import { changeMe } from "../../api/accounts";
import { meQuery, useMe } from "../../data/me";
import { notify } from "../../data/notice";
import { chooseLanguage } from "../../data/preferences";
import { queries } from "../../data/queries";
import cell from "../../ui/cells.module.css";
import { Form } from "../../ui/form";
import { Page } from "../../ui/page";

const SHORTEST = 10;

export default function SettingsPage() {
  const say = useWords();
  const me = useMe().data;
  return (
    <Page name="settings" title={say("hub.page.settings")} busy={!me}>
      {me && (
        <div className={cell.narrow}>
          <Profile me={me} />
          <Password />
        </div>
      )}
    </Page>
  );
}

function Profile({ me }: { me: Me }) {
  const say = useWords();
  const [name, setName] = useState(me.account.display_name);
  const [email, setEmail] = useState(me.account.email);
  const [language, setLanguage] = useState(me.account.language);
  const send = async () => {
    const changed = LANGUAGES.find((each) => each.language === language)?.language ?? "";
    queries.setQueryData(
      meQuery.queryKey,
      await changeMe({ display_name: name.trim(), email: email.trim(), language: changed }),
    );
    if (changed) chooseLanguage(changed);
    notify(say("hub.notice.saved"));
  };
  return (
    <div className={cell.card}>
      <h2>
        <bdi>{me.account.name}</bdi>
      </h2>
      <Form verb={say("action.save")} onSend={send}>
        <TextBox label={say("hub.field.displayName")} maxLength={200} value={name} onChange={setName} />
        <TextBox
          label={say("hub.account.email")}
          type="email"
          autoComplete="email"
          maxLength={320}
          value={email}
          onChange={setEmail}
        />
        <Choice
          label={say("language.label")}
          value={language}
          options={[
            { value: "", label: say("hub.settings.browserLanguage") },
            ...LANGUAGES.map((each) => ({ value: each.language, label: each.name })),
          ]}
          onChange={setLanguage}
        />
      </Form>
    </div>
  );
}

function Password() {
  const say = useWords();
  const [old, setOld] = useState("");
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const differ = again !== "" && again !== password;
  const send = async () => {
    await changeMe({ old_password: old, password });
    setOld("");
    setPassword("");
    setAgain("");
    notify(say("hub.notice.saved"));
  };
  return (
    <div className={cell.card}>
      <h2>{say("hub.login.password")}</h2>
      <Form
        verb={say("hub.settings.changePassword")}
        ready={old !== "" && password.length >= SHORTEST && again === password}
        onSend={send}
      >
        <TextBox
          label={say("hub.settings.oldPassword")}
          type="password"
          autoComplete="current-password"
          value={old}
          onChange={setOld}
        />
        <TextBox
          label={say("hub.account.newPassword")}
          hint={say("hub.password.rule", { length: SHORTEST })}
          type="password"
          autoComplete="new-password"
          value={password}
          onChange={setPassword}
        />
        <TextBox
          label={say("hub.password.again")}
          fault={differ ? say("hub.password.differ") : null}
          type="password"
          autoComplete="new-password"
          value={again}
          onChange={setAgain}
        />
      </Form>
    </div>
  );
}
