import { useView } from "../state/view";
import { printView } from "../state/viewstate";
import { Button } from "../widgets/button";
import { useWords } from "../words/words";
import style from "./header.module.css";
import { LivePill } from "./live-pill";
import { Logo } from "./logo";
import { MainMenu } from "./main-menu";
import { ReloadButton } from "./reload-button";
import { Tabs } from "./tabs";
import { TagSearch } from "./tag-search";

interface HeaderProps {
  title: string;
  narrow: boolean;
  onRuns(): void;
  onKeys(): void;
}

export function Header({ title, narrow, onRuns, onKeys }: HeaderProps) {
  const say = useWords();
  return (
    <header className={style.header}>
      {narrow && <Button look="quiet" icon="menu" label={say("shell.openRuns")} onClick={onRuns} />}
      <span className={style.logo}>
        <Logo />
      </span>
      <h1 className={style.title} title={title}>
        <bdi>{title}</bdi>
      </h1>
      {!narrow && <Tabs />}
      <div className={style.grow} />
      {!narrow && <TagSearch />}
      <LivePill short={narrow} />
      <ReloadButton />
      <MainMenu onKeys={onKeys} />
    </header>
  );
}

/** The address of a page with the rest of the view as it is. */
export function pageAddress(page: string): string {
  return printView({ ...useView.getState(), page }, location.search);
}
