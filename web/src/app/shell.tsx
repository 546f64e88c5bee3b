/** The frame of the board: header, side bar with the runs, page. */

import { Suspense, useCallback, useEffect, useMemo, useState } from "react";
import { Empty } from "../pages/empty/empty";
import { Missing } from "../pages/missing/missing";
import { TimeSeries } from "../pages/timeseries/time-series";
import { RunTable } from "../panels/runs/run-table";
import { useBoardTitle, useStatus } from "../state/lists";
import { startLive } from "../state/session";
import { SIDE_MAX_PX, SIDE_MIN_PX, useSide } from "../state/side";
import { useView } from "../state/view";
import { DEFAULT_PAGE } from "../state/viewstate";
import { Dialog } from "../widgets/dialog";
import { Split } from "../widgets/split";
import { useWords } from "../words/words";
import { Header } from "./header";
import { type HotkeyActions, useHotkeys } from "./hotkeys";
import { KeyList } from "./key-list";
import { LostStrip } from "./lost-strip";
import { ManageViews } from "./manage-views";
import { useNarrow } from "./narrow";
import { hasPage, PAGES } from "./pages";
import { LazyPalette } from "./palette";
import { Progress } from "./progress";
import { UnfoldStrip } from "./runs-door";
import { SaveView } from "./save-view";
import style from "./shell.module.css";
import { TakingsDoor } from "./takings-door";
import { Toast } from "./toast";
import { Unreachable } from "./unreachable";

/** The page that is the table of runs needs none beside it. */
const TABLE_PAGE = "runs";

/** Embeddings are files of their own, and may lie where there is no run. */
const BARE_PAGE = "projector";

/** What lies over the page. */
type Over = "nothing" | "sheet" | "keys" | "palette" | "save" | "views";

export function Shell() {
  const say = useWords();
  const narrow = useNarrow();
  const [over, setOver] = useState<Over>("nothing");
  const close = useCallback(() => setOver("nothing"), []);
  const page = useView((view) => view.page);
  const title = useBoardTitle();
  const subject = useView((view) => view.subject);
  const actions = useMemo(
    (): HotkeyActions => ({
      showKeys: () => setOver("keys"),
      openRuns: () => narrow && setOver("sheet"),
      openPalette: () => setOver("palette"),
      askViewName: () => setOver("save"),
    }),
    [narrow],
  );
  const hands = useHotkeys(actions);
  useEffect(startLive, []);
  // What was opened from the sheet is seen only once the sheet is gone.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time there is another page
  useEffect(() => setOver((was) => (was === "sheet" ? "nothing" : was)), [page, subject]);
  useEffect(() => {
    document.title = [subject, title, "Lightboard"].filter((part) => part !== "").join(" · ");
  }, [subject, title]);

  return (
    <div className={style.shell}>
      <button type="button" className={style.skip} onClick={() => document.getElementById("cards")?.focus()}>
        {say("shell.skip")}
      </button>
      <Header
        title={title}
        narrow={narrow}
        onRuns={() => setOver("sheet")}
        onKeys={actions.showKeys}
        onFind={actions.openPalette}
        onSaveView={actions.askViewName}
        onManageViews={() => setOver("views")}
      />
      <LostStrip />
      <div className={style.body}>
        {!narrow && page !== TABLE_PAGE && <SideBar />}
        <Page />
      </div>
      {narrow && (
        <Dialog
          title={say("runs.title")}
          closeLabel={say("action.close")}
          open={over === "sheet"}
          onClose={close}
          side
        >
          <RunTable />
        </Dialog>
      )}
      <KeyList open={over === "keys"} onClose={close} />
      <SaveView open={over === "save"} onClose={close} />
      <ManageViews open={over === "views"} onClose={close} />
      {over === "palette" && <LazyPalette hands={hands} onClose={close} />}
      <Progress />
      <Toast />
      <TakingsDoor />
    </div>
  );
}

function Page() {
  const page = useView((view) => view.page);
  const status = useStatus();
  if (status.isError && !status.data) return <Unreachable error={status.error} />;
  const bare = status.data !== undefined && !status.data.loading && status.data.runs === 0;
  if (bare && page !== BARE_PAGE) return <Empty status={status.data} />;
  const Lazy = hasPage(page) ? PAGES[page] : undefined;
  if (Lazy) {
    return (
      <Suspense fallback={<main className={style.main} aria-busy="true" />}>
        <Lazy />
      </Suspense>
    );
  }
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
        <UnfoldStrip onOpen={toggle} />
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
