/** Chooses the metrics that the list of jobs shows as columns. */

import { useWords } from "../../../i18n/words";
import { Button } from "../../../ui/button";
import { Menu, MenuCheck, MenuItem, MenuLabel, MenuLine } from "../../../ui/menu";
import { useJobs, useMetricColumns } from "../../data/jobs";
import { MAX_COLUMNS, toggled } from "../../data/metrics";
import { putQuery, useQuery } from "../../data/route";
import { jobRequestOf } from "./filters";
import style from "./job-list.module.css";

export function MetricChoice() {
  const say = useWords();
  const query = useQuery();
  const list = useJobs(jobRequestOf("job", query));
  const columns = useMetricColumns(list, query);
  const offered = list.data?.pages[0]?.offered_metrics ?? [];
  const others = columns.filter((name) => offered.every((each) => each.name !== name));
  if (offered.length === 0 && others.length === 0) return null;
  const full = columns.length >= MAX_COLUMNS;
  const check = (name: string, jobs: number) => (
    <MenuCheck
      key={name}
      checked={columns.includes(name)}
      disabled={full && !columns.includes(name)}
      end={say("hub.metric.jobs", { jobs })}
      onChange={() => putQuery({ metrics: toggled(columns, name) })}
    >
      <bdi className={style.offered}>{name}</bdi>
    </MenuCheck>
  );
  return (
    <Menu
      trigger={
        <Button icon="columns" data-testid="metrics">
          {say("hub.metric.columns")}
        </Button>
      }
    >
      <MenuLabel wrap>{say("hub.metric.choose", { most: MAX_COLUMNS })}</MenuLabel>
      {others.map((name) => check(name, 0))}
      {offered.map(({ name, jobs }) => check(name, jobs))}
      <MenuLine />
      <MenuItem disabled={!query.get("metrics")} onSelect={() => putQuery({ metrics: "" })}>
        {say("hub.metric.usual")}
      </MenuItem>
    </Menu>
  );
}
