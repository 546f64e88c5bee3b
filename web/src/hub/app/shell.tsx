/** The frame of the console: access, header, and dialogs. */

import { Suspense, useEffect, useState } from "react";
import { ApiError } from "../../api/client";
import { useWords } from "../../i18n/words";
import { Banner } from "../../ui/banner";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { ToastLine } from "../../ui/toast";
import { followChanges, useWatching } from "../data/changes";
import { useEntry, useMe } from "../data/me";
import { dismiss, useNotice } from "../data/notice";
import { followAccount } from "../data/preferences";
import { useSession } from "../data/queries";
import { address, go, usePath } from "../data/route";
import { LaunchPage } from "../pages/launch/launch-page";
import { LoginPage } from "../pages/login/login-page";
import { SetupPage } from "../pages/login/setup-page";
import { LimitReachedDialog } from "../ui/limit-reached-dialog";
import { NewJobDialog } from "../ui/new-job-dialog";
import { ErrorNotice, Page } from "../ui/page";
import { Header } from "./header";
import { boardAt, pageAt } from "./pages";
import style from "./shell.module.css";

export function Shell() {
  const path = usePath();
  const boardId = boardAt(path);
  return (
    <div className={style.shell}>
      {path === "/login" ? (
        <LoginPage />
      ) : path === "/setup" ? (
        <SetupPage />
      ) : boardId ? (
        <LaunchPage id={boardId} />
      ) : (
        <SignedIn path={path} />
      )}
      <Notice />
    </div>
  );
}

function here(): string {
  return location.pathname + location.search + location.hash;
}

/** For accounts that are logged in; others are sent to the login. */
function SignedIn({ path }: { path: string }) {
  const say = useWords();
  const me = useMe();
  const ended = useSession((state) => state.ended);
  const out = me.error instanceof ApiError && me.error.status === 401 && !me.data;
  const known = me.data?.account.permissions.includes("use_tensorboards") ?? false;
  useEffect(() => (known && !ended ? followChanges() : undefined), [known, ended]);
  useEffect(() => {
    if (me.data) followAccount(me.data.account.language);
  }, [me.data]);
  if (out) return <Login />;
  if (me.isError && !me.data)
    return (
      <Page name="fault" title={say("hub.fault.title")}>
        <ErrorNotice fault={me.error} onRetry={() => void me.refetch()} />
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
      <LimitReachedDialog />
      <NewJobDialog />
      {ended && <SessionEnded />}
    </>
  );
}

function Login() {
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

/** Shown above the page after the session ended, so that nothing on the page is lost. */
function SessionEnded() {
  const say = useWords();
  const away = () => go(`/login?next=${encodeURIComponent(here())}`);
  return (
    <Dialog title={say("hub.ended.title")} closeLabel={say("action.close")} open onClose={away}>
      <p>{say("hub.ended.what")}</p>
      <div className={style.foot}>
        <Button data-first variant="primary" onClick={away}>
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

/** A stream that reconnects within this time is not reported. */
const ANNOUNCED_AFTER_MS = 1500;

function LostStrip() {
  const say = useWords();
  const lost = useWatching((state) => state.lost);
  const [announced, setAnnounced] = useState(false);
  useEffect(() => {
    if (!lost) return setAnnounced(false);
    const timer = setTimeout(() => setAnnounced(true), ANNOUNCED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [lost]);
  if (!announced) return null;
  return (
    <Banner testId="lost">
      <span>{say("hub.lost")}</span>
    </Banner>
  );
}
