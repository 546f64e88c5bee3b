/** The header of the console: its pages, and the account. */

import type { Me } from "../../api/hub-schema.gen";
import { useWords, type WordId } from "../../i18n/words";
import { Button } from "../../ui/button";
import head from "../../ui/head.module.css";
import { Logo } from "../../ui/logo";
import { Menu, MenuItem } from "../../ui/menu";
import { hasProjectPermission } from "../data/me";
import { go } from "../data/route";
import { Link } from "../ui/link";
import { AccountMenu } from "./account-menu";
import style from "./header.module.css";

const PRODUCT = "Lightboard";

interface Tab {
  path: string;
  word: WordId;
}

function tabsOf(me: Me): Tab[] {
  const tabs: Tab[] = [
    { path: "/", word: "hub.page.analysis" },
    { path: "/queue", word: "hub.page.queue" },
    { path: "/datasets", word: "hub.page.datasets" },
    { path: "/projects", word: "hub.page.projects" },
  ];
  if (me.hub_rights.includes("accounts.manage")) tabs.push({ path: "/accounts", word: "hub.page.accounts" });
  if (me.hub_rights.includes("images.manage"))
    tabs.push({ path: "/environments", word: "hub.page.environments" });
  if (hasProjectPermission(me, "audit.list")) tabs.push({ path: "/audit", word: "hub.page.audit" });
  return tabs;
}

function isAt(path: string, tab: Tab): boolean {
  if (tab.path === "/") return path === "/" || /^\/(?:tensorboards|jobs)\//.test(path);
  return path === tab.path || path.startsWith(`${tab.path}/`);
}

export function Header({ me, path }: { me: Me; path: string }) {
  const say = useWords();
  const tabs = tabsOf(me);
  return (
    <header className={head.head}>
      <Link to="/" className={style.logo}>
        <Logo />
        <span className={style.brand} translate="no">
          {PRODUCT}
        </span>
      </Link>
      <nav className={style.tabs} aria-label={say("hub.shell.pages")}>
        {tabs.map((tab) => (
          <Link
            key={tab.path}
            to={tab.path}
            className={head.tab}
            aria-current={isAt(path, tab) ? "page" : undefined}
          >
            {say(tab.word)}
          </Link>
        ))}
      </nav>
      <span className={style.folded}>
        <Menu
          trigger={<Button variant="quiet" icon="menu" label={say("hub.shell.pages")} data-testid="pages" />}
        >
          {tabs.map((tab) => (
            <MenuItem key={tab.path} onSelect={() => go(tab.path)}>
              {say(tab.word)}
            </MenuItem>
          ))}
        </Menu>
      </span>
      <AccountMenu me={me} />
    </header>
  );
}
