/** The frame of the board: header, side bar with the runs, page. */

import { Suspense, useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { useWords } from "../../i18n/words";
import { mediaQuery } from "../../lib/media-query";
import { Dialog } from "../../ui/dialog";
import { lazyPart } from "../../ui/lazy-part";
import { Split } from "../../ui/split";
import { useExports } from "../cards/exports";
import { useBoardTitle, useKinds, useStatus } from "../data/lists";
import { startLive } from "../data/session";
import { Missing } from "../pages/missing/missing";
import { RunTable } from "../run-table/run-table";
import { TimeSeries } from "../time-series/time-series";
import { SIDE_MAX_PX, SIDE_MIN_PX, useSideBar } from "../view/side-bar";
import { openBarePage, useView } from "../view/view";
import { DEFAULT_PAGE } from "../view/view-state";
import { Header } from "./header";
import { type HotkeyActions, useHotkeys } from "./hotkeys";
import { KeyList } from "./key-list";
import { hasPage, PAGES } from "./pages";
import { LazyPalette } from "./palette";
import { UnfoldStrip } from "./runs-button";
import { SaveView } from "./save-view";
import { DisconnectedBanner, Progress } from "./server-status";
import style from "./shell.module.css";
import { Toast } from "./toast";
import { Unreachable } from "./unreachable";

const NoData = lazyPart(async () => ({ default: (await import("../cards/no-data")).NoData }));
const ManageViews = lazyPart(() => import("./manage-views"));
const Empty = lazyPart(() => import("../pages/empty/empty"));
const ExportProgress = lazyPart(() => import("../export/export-progress"));

/** The Runs page is the run table, so it needs no side bar. */
const TABLE_PAGE = "runs";

/** Pages of runs, which show nothing of logs that have none. */
const RUN_PAGES: readonly string[] = [DEFAULT_PAGE, TABLE_PAGE, "run", "compare"];

/** The layer that is open above the page. */
type OpenLayer = "nothing" | "sheet" | "keys" | "palette" | "save" | "views";

export function Shell() {
  const say = useWords();
  const narrow = useNarrow();
  const [openLayer, setOpenLayer] = useState<OpenLayer>("nothing");
  const close = useCallback(() => setOpenLayer("nothing"), []);
  const page = useView((view) => view.page);
  const title = useBoardTitle();
  const subject = useView((view) => view.subject);
  const actions = useMemo(
    (): HotkeyActions => ({
      showKeys: () => setOpenLayer("keys"),
      openRuns: () => narrow && setOpenLayer("sheet"),
      openPalette: () => setOpenLayer("palette"),
      askViewName: () => setOpenLayer("save"),
    }),
    [narrow],
  );
  const context = useHotkeys(actions);
  const barePage = useStatus().data?.page;
  const bare = useBareness();
  useEffect(startLive, []);
  useEffect(() => {
    if (barePage) openBarePage(barePage);
  }, [barePage]);
  // Close the sheet after navigating from it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time there is another page
  useEffect(() => setOpenLayer((was) => (was === "sheet" ? "nothing" : was)), [page, subject]);
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
        onRuns={() => setOpenLayer("sheet")}
        onKeys={actions.showKeys}
        onFind={actions.openPalette}
        onSaveView={actions.askViewName}
        onManageViews={() => setOpenLayer("views")}
      />
      <DisconnectedBanner />
      <div className={style.body}>
        {!narrow && page !== TABLE_PAGE && bare !== "runless" && <SideBar />}
        <Page />
      </div>
      {narrow && (
        <Dialog
          title={say("runs.title")}
          closeLabel={say("action.close")}
          open={openLayer === "sheet"}
          onClose={close}
          side
        >
          <RunTable />
        </Dialog>
      )}
      <KeyList open={openLayer === "keys"} onClose={close} />
      <SaveView open={openLayer === "save"} onClose={close} />
      {openLayer === "views" && (
        <Suspense>
          <ManageViews onClose={close} />
        </Suspense>
      )}
      {openLayer === "palette" && <LazyPalette context={context} onClose={close} />}
      <Progress />
      <Toast />
      <RunningExports />
    </div>
  );
}

function Page() {
  const page = useView((view) => view.page);
  const status = useStatus();
  const bare = useBareness();
  if (status.error && !status.data) return <Unreachable error={status.error} />;
  const fallback = <main className={style.main} aria-busy="true" />;
  if (bare === "unknown") return fallback;
  if (bare === "empty" && status.data) {
    return (
      <Suspense fallback={fallback}>
        <Empty page={page} status={status.data} />
      </Suspense>
    );
  }
  if (bare === "runless" && RUN_PAGES.includes(page)) {
    return (
      <Suspense fallback={fallback}>
        <NoData page={page === DEFAULT_PAGE ? page : TABLE_PAGE} />
      </Suspense>
    );
  }
  const Lazy = hasPage(page) ? PAGES[page] : undefined;
  if (Lazy) {
    return (
      <Suspense fallback={fallback}>
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

/**
 * Whether there is no run, and then whether there is data all the same: captures, model files and embeddings need none.
 * Null if there are runs, or none has been found yet.
 */
function useBareness(): "unknown" | "empty" | "runless" | null {
  const status = useStatus().data;
  const bare = status !== undefined && !status.loading && status.runs === 0;
  const kinds = useKinds(bare);
  if (!bare) return null;
  if (!kinds.data) return kinds.error ? "empty" : "unknown";
  return Object.values(kinds.data.plugins).some((tags) => tags > 0) ? "runless" : "empty";
}

function SideBar() {
  const say = useWords();
  const { width, folded, resize, toggle } = useSideBar();
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

function RunningExports() {
  const any = useExports((state) => state.exports.length > 0);
  return any ? (
    <Suspense>
      <ExportProgress />
    </Suspense>
  ) : null;
}

/** The run table needs room for at least one card beside it. */
const narrow = mediaQuery("(max-width: 759px)");

/** Whether the window is as narrow as a phone's: the side bar is a sheet then. */
function useNarrow(): boolean {
  return useSyncExternalStore(narrow.subscribe, narrow.matches);
}
