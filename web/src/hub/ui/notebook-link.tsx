/** Opens JupyterLab of a notebook, or starts it. */

import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { useBusy } from "../data/busy";
import { restart } from "../data/job-actions";
import { hasEnded, isActive, type Job } from "../data/jobs";
import style from "./board-link.module.css";

/** Whether the account opens a notebook, or the web page of a job, once it runs. */
export const mayOpen = ({ rights }: Pick<Job, "rights">) =>
  rights.includes("notebooks.open") || rights.includes("jobs.connect");

export function NotebookLink({ notebook }: { notebook: Job }) {
  const say = useWords();
  const busy = useBusy((state) => state.ids.has(notebook.id));
  const { name, status, url, rights } = notebook;
  if (hasEnded(notebook) && rights.includes("jobs.restart"))
    return (
      <Button
        size="small"
        icon="play"
        disabled={busy}
        aria-label={say("hub.act.startNamed", { name })}
        data-testid="start"
        onClick={() => void restart(notebook)}
      >
        {say("hub.act.start")}
      </Button>
    );
  if (!mayOpen(notebook) || !isActive(notebook) || status === "Queued")
    return <span className={style.quiet}>–</span>;
  if (status !== "Running") return <span className={style.quiet}>{say("hub.list.soon")}</span>;
  return (
    <a
      className={style.link}
      href={url}
      target="_blank"
      rel="noopener"
      aria-label={say("hub.act.openNamed", { name })}
      data-testid="open-notebook"
    >
      {say("hub.act.open")}
      <span aria-hidden="true">↗</span>
    </a>
  );
}
