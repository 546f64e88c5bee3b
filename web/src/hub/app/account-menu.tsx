/** The account menu: theme, language, own pages, and log out. */

import type { Me } from "../../api/hub-schema.gen";
import { LANGUAGES, type Language, useWords } from "../../i18n/words";
import type { Theme } from "../../lib/color-scheme";
import { Button } from "../../ui/button";
import { Icon } from "../../ui/icon";
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuLine } from "../../ui/menu";
import { changeMe, logOut } from "../api/accounts";
import { notifyError } from "../data/notice";
import { chooseLanguage, chooseTheme, languageNow, usePreferences } from "../data/preferences";
import { useInvitations } from "../data/projects";
import { queries } from "../data/queries";
import { address, go } from "../data/route";
import style from "./account-menu.module.css";

async function leave(): Promise<void> {
  try {
    await logOut();
    go("/login");
    queries.clear();
  } catch (fault) {
    notifyError(fault);
  }
}

export function AccountMenu({ me }: { me: Me }) {
  const say = useWords();
  const theme = usePreferences((preferences) => preferences.theme);
  const language = usePreferences(languageNow);
  const name = me.account.display_name || me.account.name;
  const invitations = useInvitations().data?.items.length ?? 0;
  const label = invitations > 0 ? say("hub.shell.invited", { name, invitations }) : name;
  const themes: readonly { value: Theme; label: string }[] = [
    { value: "system", label: say("theme.system") },
    { value: "light", label: say("theme.light") },
    { value: "dark", label: say("theme.dark") },
  ];
  return (
    <Menu
      align="end"
      trigger={
        <Button
          variant="quiet"
          className={style.account}
          data-testid="account"
          aria-label={label}
          title={label}
        >
          <bdi className={style.name}>{name}</bdi>
          {invitations > 0 && (
            <span className={style.badge} data-testid="invited">
              {invitations}
            </span>
          )}
          <Icon name="down" size={12} />
        </Button>
      }
    >
      <MenuLabel>
        <bdi>{me.account.name}</bdi>
      </MenuLabel>
      {invitations > 0 && (
        <MenuItem end={invitations} onSelect={() => go("/projects")}>
          {say("hub.invitation.mine")}
        </MenuItem>
      )}
      <MenuItem onSelect={() => go("/settings")}>{say("hub.page.settings")}</MenuItem>
      <MenuItem onSelect={() => go("/tokens")}>{say("hub.page.tokens")}</MenuItem>
      <MenuItem onSelect={() => window.open(address("/docs/"), "_blank", "noopener")}>
        {say("hub.shell.docs")}
      </MenuItem>
      <MenuLine />
      <MenuChoice label={say("theme.label")} value={theme} options={themes} onChange={chooseTheme} />
      <MenuLine />
      <MenuChoice
        label={say("language.label")}
        value={language}
        options={LANGUAGES.map(({ language: value, name: own }) => ({ value, label: own, lang: value }))}
        onChange={(value: Language) => {
          chooseLanguage(value);
          void changeMe({ language: value }).catch(notifyError);
        }}
      />
      <MenuLine />
      <MenuItem onSelect={() => void leave()}>{say("hub.shell.logOut")}</MenuItem>
    </Menu>
  );
}
