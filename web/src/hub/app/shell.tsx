/** The frame of the console: who may be where, the head of the page, and what lies over it. */

import { Suspense, useEffect } from "react";
import { ApiError } from "../../api/client";
import { Button } from "../../widgets/button";
import { Dialog } from "../../widgets/dialog";
import { ToastLine } from "../../widgets/toast";
import { useWords } from "../../words/words";
import { DoorPage } from "../pages/door/door-page";
import { LoginPage } from "../pages/login/login-page";
import { SetupPage } from "../pages/login/setup-page";
import { NoRoom } from "../parts/no-room";
import { Fault, Page } from "../parts/page";
import { useEntry, useMe } from "../state/me";
import { dismiss, useNotice } from "../state/notice";
import { followAccount } from "../state/preferences";
import { useSession } from "../state/queries";
import { address, go, usePath } from "../state/route";
import { followTensorboards } from "../state/tensorboards";
import { Header } from "./header";
import { LostStrip } from "./lost-strip";
import { doorAt, pageAt } from "./pages";
import style from "./shell.module.css";

export function Shell() {
  const path = usePath();
  const door = doorAt(path);
  return (
    <div className={style.shell}>
      {path === "/login" ? (
        <LoginPage />
      ) : path === "/setup" ? (
        <SetupPage />
      ) : door ? (
        <DoorPage id={door} />
      ) : (
        <Inside path={path} />
      )}
      <Notice />
    </div>
  );
}

function here(): string {
  return location.pathname + location.search + location.hash;
}

/** For people who are logged in; others are led to the way in. */
function Inside({ path }: { path: string }) {
  const say = useWords();
  const me = useMe();
  const ended = useSession((state) => state.ended);
  const out = me.error instanceof ApiError && me.error.status === 401 && !me.data;
  const known = me.data?.account.permissions.includes("use_tensorboards") ?? false;
  useEffect(() => (known && !ended ? followTensorboards() : undefined), [known, ended]);
  useEffect(() => {
    if (me.data) followAccount(me.data.account.language);
  }, [me.data]);
  if (out) return <WayIn />;
  if (me.isError && !me.data)
    return (
      <Page name="fault" title={say("hub.fault.title")}>
        <Fault fault={me.error} onRetry={() => void me.refetch()} />
      </Page>
    );
  if (!me.data) return <main className={style.blank} aria-busy="true" />;
  return (
    <>
      <button type="button" className={style.skip} onClick={() => document.getElementById("page")?.focus()}>
        {say("hub.shell.skip")}
      </button>
      <Header me={me.data} path={path} />
      <LostStrip />
      <Suspense fallback={<main className={style.blank} aria-busy="true" />}>{pageAt(path)}</Suspense>
      <NoRoom />
      {ended && <Ended />}
    </>
  );
}

function WayIn() {
  const entry = useEntry();
  const setup = entry.data?.setup;
  useEffect(() => {
    if (entry.isPending) return;
    const next = here();
    const home = next === address("/");
    go(setup ? "/setup" : `/login${home ? "" : `?next=${encodeURIComponent(next)}`}`, { replace: true });
  }, [entry.isPending, setup]);
  return <main className={style.blank} aria-busy="true" />;
}

/** The page stays as it is behind this: nothing of what one saw is lost. */
function Ended() {
  const say = useWords();
  const away = () => go(`/login?next=${encodeURIComponent(here())}`);
  return (
    <Dialog title={say("hub.ended.title")} closeLabel={say("action.close")} open onClose={away}>
      <p>{say("hub.ended.what")}</p>
      <div className={style.foot}>
        <Button look="primary" onClick={away}>
          {say("hub.login.title")}
        </Button>
      </div>
    </Dialog>
  );
}

function Notice() {
  const say = useWords();
  const notice = useNotice((state) => state.notice);
  return (
    <ToastLine notice={notice} closeLabel={say("action.close")} onClose={dismiss}>
      {notice?.text}
    </ToastLine>
  );
}
