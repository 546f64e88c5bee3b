/** The source code of a job: the beginning of its digest, how much it is, and a link to download it. */

import type { JobDetail, SourceCodeResponse } from "../../api/hub-schema.gen";
import { bytes } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { sourceCodeUrl } from "../api/jobs";
import { shortDigest } from "../data/job-draft";
import style from "./source-code-text.module.css";

interface SourceCodeTextProps {
  job: JobDetail;
  source: SourceCodeResponse;
  /** Of the link. */
  testId: string;
}

export function SourceCodeText({ job, source, testId }: SourceCodeTextProps) {
  const say = useWords();
  return (
    <span className={style.source}>
      <bdi title={source.digest}>{shortDigest(source.digest)}</bdi>
      <span>{say("hub.job.sourceFiles", { files: source.files, size: bytes(source.size_bytes) })}</span>
      {job.rights.includes("jobs.source_code") && (
        <a href={sourceCodeUrl(job.id)} download data-testid={testId}>
          {say("hub.job.download")}
        </a>
      )}
    </span>
  );
}
