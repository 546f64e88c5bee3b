/** Edits the volumes of a job: rows of a path, a source, and whether it can only be read. */

import { Button } from "../../widgets/button";
import { Check } from "../../widgets/check";
import boxes from "../../widgets/text-box.module.css";
import { useWords } from "../../words/words";
import { newVolume, type VolumeRow } from "../state/job-volumes";
import form from "./form.module.css";
import rows from "./pair-rows.module.css";
import style from "./volume-rows.module.css";

const EXAMPLE = { target: "/project/results", source: "storage:image/results" };

interface VolumeRowsProps {
  fault: string | undefined;
  volumes: readonly VolumeRow[];
  onChange(volumes: readonly VolumeRow[]): void;
}

export function VolumeRows({ fault, volumes, onChange }: VolumeRowsProps) {
  const say = useWords();
  const label = say("hub.job.volumes");
  const change = (key: number, fields: Partial<VolumeRow>) =>
    onChange(volumes.map((volume) => (volume.key === key ? { ...volume, ...fields } : volume)));
  return (
    <fieldset className={rows.rows} data-testid="volumes">
      <legend>{label}</legend>
      {volumes.map((volume, at) => (
        <div key={volume.key} className={style.row}>
          <input
            className={`${boxes.box} ${boxes.code}`}
            aria-label={say("hub.pair.name", { label, number: at + 1 })}
            placeholder={EXAMPLE.target}
            value={volume.target}
            autoComplete="off"
            spellCheck={false}
            // biome-ignore lint/a11y/noAutofocus: a row that was just added is to be filled in
            autoFocus={volume.target === "" && at === volumes.length - 1}
            onChange={(event) => change(volume.key, { target: event.target.value })}
          />
          <input
            className={`${boxes.box} ${boxes.code}`}
            aria-label={say("hub.pair.value", { label, number: at + 1 })}
            placeholder={EXAMPLE.source}
            value={volume.source}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => change(volume.key, { source: event.target.value })}
          />
          <label className={style.mode}>
            <Check
              checked={volume.readOnly}
              onChange={(event) => change(volume.key, { readOnly: event.target.checked })}
            />
            {say("hub.job.readOnly")}
          </label>
          <Button
            variant="quiet"
            icon="trash"
            label={say("hub.pair.remove", { name: volume.target || String(at + 1) })}
            onClick={() => onChange(volumes.filter(({ key }) => key !== volume.key))}
          />
        </div>
      ))}
      {fault && (
        <p className={rows.fault} role="alert">
          {fault}
        </p>
      )}
      <p className={form.hint}>{say("hub.job.volumesHint")}</p>
      <div>
        <Button size="small" icon="plus" onClick={() => onChange([...volumes, newVolume()])}>
          {say("hub.job.addVolume")}
        </Button>
      </div>
    </fieldset>
  );
}
