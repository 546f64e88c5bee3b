/** The frame of the board: header, side bar with the runs, page. */

import { useEffect, useState } from "react";
import { Empty } from "../pages/empty/empty";
import { Missing } from "../pages/missing/missing";
import { TimeSeries } from "../pages/timeseries/time-series";
import { RunTable } from "../panels/runs/run-table";
import { useStatus } from "../state/lists";
import { SIDE_MAX_PX, SIDE_MIN_PX, useSide } from "../state/side";
import { useView } from "../state/view";
import { DEFAULT_PAGE } from "../state/viewstate";
import { Dialog } from "../widgets/dialog";
import { Icon } from "../widgets/icon";
import { Split } from "../widgets/split";
import { useWords } from "../words/words";
import { Header } from "./header";
import { useHotkeys } from "./hotkeys";
import { KeyList } from "./key-list";
import { LostStrip } from "./lost-strip";
import { useNarrow } from "./narrow";
import { Progress } from "./progress";
import style from "./shell.module.css";
import { Unreachable } from "./unreachable";

export function Shell() {
  const say = useWords();
  const narrow = useNarrow();
  const [sheet, setSheet] = useState(false);
  const [keys, setKeys] = useState(false);
  const status = useStatus();
  const title = boardTitle(status.data?.title, status.data?.logdir);
  useHotkeys({ showKeys: () => setKeys(true), openRuns: () => narrow && setSheet(true) });
  useEffect(() => {
    document.title = title === "" ? "Lightboard" : `${title} · Lightboard`;
  }, [title]);

  return (
    <div className={style.shell}>
      <button type="button" className={style.skip} onClick={() => document.getElementById("cards")?.focus()}>
        {say("shell.skip")}
      </button>
      <Header title={title} narrow={narrow} onRuns={() => setSheet(true)} onKeys={() => setKeys(true)} />
      <LostStrip />
      <div className={style.body}>
        {!narrow && <SideBar />}
        <Page />
      </div>
      {narrow && (
        <Dialog
          title={say("runs.title")}
          closeLabel={say("action.close")}
          open={sheet}
          onClose={() => setSheet(false)}
          side
        >
          <RunTable />
        </Dialog>
      )}
      <KeyList open={keys} onClose={() => setKeys(false)} />
      <Progress />
    </div>
  );
}

function Page() {
  const page = useView((view) => view.page);
  const status = useStatus();
  if (status.isError && !status.data) return <Unreachable error={status.error} />;
  if (status.data && !status.data.loading && status.data.runs === 0) return <Empty status={status.data} />;
  if (page !== DEFAULT_PAGE) return <Missing page={page} />;
  return (
    <main className={style.main}>
      <TimeSeries />
    </main>
  );
}

function SideBar() {
  const say = useWords();
  const { width, folded, resize, toggle } = useSide();
  if (folded) {
    return (
      <aside className={`${style.side} ${style.folded}`} aria-label={say("runs.title")}>
        <button
          type="button"
          className={style.unfold}
          aria-label={say("shell.unfold")}
          title={say("shell.unfold")}
          onClick={toggle}
        >
          <Icon name="right" size={12} />
        </button>
      </aside>
    );
  }
  return (
    <aside className={style.side} style={{ width }} aria-label={say("runs.title")}>
      <RunTable />
      <Split
        label={say("shell.resize")}
        value={width}
        min={SIDE_MIN_PX}
        max={SIDE_MAX_PX}
        onChange={resize}
      />
    </aside>
  );
}

/** What the person named it, else the folder it shows. */
function boardTitle(title: string | undefined, logdir: string | undefined): string {
  if (title) return title;
  return logdir?.replace(/\/+$/, "").split("/").at(-1) ?? "";
}
