/** How long the last attempt of a job has been running, or ran. */

import { duration } from "../../i18n/format";
import { useSecond } from "../data/clock";
import { type Job, ranSecs } from "../data/jobs";

type Ran = Pick<Job, "started_at" | "ended_at">;

export function JobDuration({ job }: { job: Ran }) {
  if (job.started_at === null) return "–";
  return job.ended_at === null ? <Running job={job} /> : duration(ranSecs(job, job.ended_at) ?? 0);
}

function Running({ job }: { job: Ran }) {
  const now = useSecond();
  return duration(ranSecs(job, now) ?? 0);
}
