/** The header: name of the board, pages, search, views, and the live status. */

import { timeOfDay } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import head from "../../ui/head.module.css";
import { Icon } from "../../ui/icon";
import { Logo } from "../../ui/logo";
import { useStatus, wallTime } from "../data/lists";
import { useLive } from "../data/live";
import { live } from "../data/session";
import style from "./header.module.css";
import { LivePill } from "./live-pill";
import { MainMenu } from "./main-menu";
import { preloadPalette } from "./palette";
import { RunsButton } from "./runs-button";
import { Tabs } from "./tabs";
import { ViewsMenu } from "./views-menu";

interface HeaderProps {
  title: string;
  narrow: boolean;
  onRuns(): void;
  onKeys(): void;
  onFind(): void;
  onSaveView(): void;
  onManageViews(): void;
}

/** The logo; on a hub it links to the list of boards. */
function Home() {
  const say = useWords();
  const console = useStatus().data?.console;
  if (!console)
    return (
      <span className={style.logo}>
        <Logo />
      </span>
    );
  return (
    <a className={style.home} href={console} aria-label={say("shell.console")} data-testid="console">
      <Logo />
      <span className={style.homeText}>{say("shell.console")}</span>
      <span aria-hidden="true">/</span>
    </a>
  );
}

export function Header({ title, narrow, onRuns, onKeys, onFind, onSaveView, onManageViews }: HeaderProps) {
  const say = useWords();
  return (
    <header className={head.head}>
      {narrow && <RunsButton onOpen={onRuns} />}
      <Home />
      <h1 className={style.title} title={title}>
        <bdi>{title}</bdi>
      </h1>
      <Tabs />
      <button
        type="button"
        className={style.find}
        aria-keyshortcuts="Control+K"
        aria-haspopup="dialog"
        title={`${say("shell.find")} (Ctrl K)`}
        data-testid="find"
        onPointerEnter={preloadPalette}
        onClick={onFind}
      >
        <Icon name="search" />
        <span className={style.findText}>{say("shell.find")}</span>
        <span className={style.findKey} aria-hidden="true">
          Ctrl K
        </span>
      </button>
      <ViewsMenu onSave={onSaveView} onManage={onManageViews} />
      <LivePill short={narrow} />
      <ReloadButton />
      <MainMenu onKeys={onKeys} />
    </header>
  );
}

function ReloadButton() {
  const say = useWords();
  const reloading = useLive((state) => state.reloading);
  const scanned = wallTime(useStatus().data?.last_scan ?? null);
  const tip = scanned === null ? "" : `\n${say("reload.last", { time: timeOfDay(scanned) })}`;
  return (
    <Button
      variant="quiet"
      icon="reload"
      aria-label={say("reload.label")}
      title={`${say("reload.label")} (r)${tip}`}
      aria-busy={reloading}
      data-testid="reload"
      onClick={() => void live.reload()}
    />
  );
}
