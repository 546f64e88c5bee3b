/** The volumes of a job, and how it finds them. */

import type { JobVolume } from "../../api/hub-schema.gen";
import { useWords } from "../../i18n/words";
import { Code, Section } from "./section";
import { Table } from "./table";

export function JobVolumes({ volumes }: { volumes: readonly JobVolume[] }) {
  const say = useWords();
  return (
    <Section title={say("hub.job.volumes")}>
      <Table
        label={say("hub.job.volumes")}
        rows={volumes}
        rowKey={({ target }) => target}
        testId="volume"
        columns={[
          {
            id: "target",
            title: say("hub.job.target"),
            cell: ({ target }) => <Code>{target}</Code>,
          },
          {
            id: "source",
            title: say("hub.field.source"),
            cell: ({ source }) => <Code>{source}</Code>,
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
    </Section>
  );
}
