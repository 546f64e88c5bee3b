/** How long the last attempt of a job has been running, or ran. */

import { duration } from "../../words/format";
import { useSecond } from "../state/clock";
import { type Job, ranSecs } from "../state/jobs";

type Ran = Pick<Job, "started_at" | "ended_at">;

export function JobDuration({ job }: { job: Ran }) {
  if (job.started_at === null) return "–";
  return job.ended_at === null ? <Running job={job} /> : duration(ranSecs(job, job.ended_at) ?? 0);
}

function Running({ job }: { job: Ran }) {
  const now = useSecond();
  return duration(ranSecs(job, now) ?? 0);
}
