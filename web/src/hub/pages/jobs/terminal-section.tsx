/** The terminal of a job, or why there is none. */

import { Suspense, useState } from "react";
import type { JobDetail } from "../../../api/hub-schema.gen";
import { useWords } from "../../../i18n/words";
import { lazyPart } from "../../../ui/lazy-part";
import { Select } from "../../../ui/select";
import { useJobCapabilities } from "../../data/job-options";
import { useMe } from "../../data/me";
import { EmptyState } from "../../ui/page";
import style from "./terminal.module.css";
import { obstacleOf } from "./terminal-end";

const TerminalView = lazyPart(() => import("./terminal-view"));

export function TerminalSection({ job }: { job: JobDetail }) {
  const say = useWords();
  const account = useMe().data?.account.id ?? "";
  const able = useJobCapabilities();
  const obstacle = able ? obstacleOf(job, account, able) : "unknown";
  const [opened, setOpened] = useState(false);
  const [rank, setRank] = useState(0);
  const [number, setNumber] = useState(0);
  if (!obstacle && !opened) setOpened(true);
  // What a terminal shows can still be read after its job has ended.
  if (obstacle && !opened) {
    if (obstacle === "unknown") return <div className={style.terminal} aria-busy="true" />;
    const why = able?.commands_problem ?? "";
    const title =
      obstacle === "unsupported" ? say("hub.terminal.refused", { why }) : say(`hub.terminal.${obstacle}`);
    return <EmptyState title={title} />;
  }
  return (
    <>
      {job.replicas > 1 && (
        <div className={style.choices}>
          <Select
            label={say("hub.log.replica")}
            value={String(rank)}
            options={Array.from({ length: job.replicas }, (_, each) => ({
              value: String(each),
              label: say("hub.log.replicaNumber", { rank: each }),
            }))}
            onChange={(value) => setRank(Number(value))}
          />
        </div>
      )}
      <Suspense fallback={<div className={style.terminal} aria-busy="true" />}>
        <TerminalView
          key={`${rank} ${number}`}
          job={job.id}
          rank={rank}
          running={obstacle === null}
          onReconnect={() => setNumber(number + 1)}
        />
      </Suspense>
    </>
  );
}
