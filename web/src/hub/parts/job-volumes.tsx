/** The volumes of a job, and how it finds them. */

import type { JobVolume } from "../../api/hub/schema.gen";
import { useWords } from "../../words/words";
import style from "./job-volumes.module.css";
import { Table } from "./table";

export function JobVolumes({ volumes }: { volumes: readonly JobVolume[] }) {
  const say = useWords();
  return (
    <section className={style.volumes}>
      <h2>{say("hub.job.volumes")}</h2>
      <Table
        label={say("hub.job.volumes")}
        rows={volumes}
        rowKey={({ target }) => target}
        testId="volume"
        columns={[
          {
            id: "target",
            title: say("hub.job.target"),
            cell: ({ target }) => <bdi className={style.code}>{target}</bdi>,
          },
          {
            id: "source",
            title: say("hub.field.source"),
            cell: ({ source }) => <bdi className={style.code}>{source}</bdi>,
          },
          {
            id: "mode",
            title: say("hub.job.volumeMode"),
            cell: ({ read_only }) => say(read_only ? "hub.job.readOnly" : "hub.job.readWrite"),
          },
          {
            id: "enforcement",
            title: say("hub.job.enforcement"),
            cell: ({ enforcement }) => (enforcement ? say(`hub.job.enforcement.${enforcement}`) : "–"),
          },
        ]}
      />
    </section>
  );
}
