/** What was in an input of a job: how many files, their size, and the beginning of the digest; or why it is not known. */

import type { InputContents } from "../../api/hub-schema.gen";
import { bytes, count } from "../../i18n/format";
import { type Say, useWords } from "../../i18n/words";
import { shortDigest } from "../data/job-draft";
import style from "./contents-text.module.css";
import { Code } from "./section";

/** In a few words, without the digest. */
export function contentsText(say: Say, contents: InputContents): string {
  switch (contents.problem) {
    case "TooManyFiles":
      return say("hub.lineage.contents.tooMany", { files: count(contents.files) });
    case "TooSlow":
      return say("hub.lineage.contents.tooSlow");
    case "Unreadable":
      return say("hub.lineage.contents.unreadable");
    case "Missing":
      return say("hub.lineage.contents.missing");
    case null:
      return say("hub.job.sourceFiles", { files: contents.files, size: bytes(contents.size_bytes) });
  }
}

export function ContentsText({ contents }: { contents: InputContents }) {
  const say = useWords();
  return (
    <span className={style.contents}>
      <span>{contentsText(say, contents)}</span>
      {contents.digest !== "" && <Code title={contents.digest}>{shortDigest(contents.digest)}</Code>}
      {contents.links_skipped > 0 && (
        <span className={style.note}>
          {say("hub.lineage.contents.links", { links: contents.links_skipped })}
        </span>
      )}
    </span>
  );
}
