/** Edits the volumes of a job or notebook: rows of a path, a source, and whether it can only be read. */

import { useWords } from "../../i18n/words";
import { Check } from "../../ui/check";
import { newVolume, type VolumeRow } from "../data/job-volumes";
import { FieldRows, RowBox } from "./field-rows";
import style from "./volume-rows.module.css";

const EXAMPLE = { target: "/project/results", source: "storage:image/results" };

interface VolumeRowsProps {
  hint: string;
  fault: string | undefined;
  /** Why there can be none on this hub. */
  obstacle: string | undefined;
  volumes: readonly VolumeRow[];
  onChange(volumes: readonly VolumeRow[]): void;
}

export function VolumeRows({ hint, fault, obstacle, volumes, onChange }: VolumeRowsProps) {
  const say = useWords();
  const label = say("hub.job.volumes");
  return (
    <FieldRows
      label={label}
      more={say("hub.job.addVolume")}
      hint={hint}
      fault={fault}
      obstacle={obstacle}
      rows={volumes}
      newRow={newVolume}
      nameOf={(volume) => volume.target}
      rowClass={style.row}
      onChange={onChange}
      testId="volumes"
    >
      {(volume, at, change) => (
        <>
          <RowBox
            label={say("hub.pair.name", { label, number: at + 1 })}
            placeholder={EXAMPLE.target}
            value={volume.target}
            focused={volume.target === "" && at === volumes.length - 1}
            onChange={(target) => change({ target })}
          />
          <RowBox
            label={say("hub.pair.value", { label, number: at + 1 })}
            placeholder={EXAMPLE.source}
            value={volume.source}
            onChange={(source) => change({ source })}
          />
          <label className={style.mode}>
            <Check
              checked={volume.readOnly}
              onChange={(event) => change({ readOnly: event.target.checked })}
            />
            {say("hub.job.readOnly")}
          </label>
        </>
      )}
    </FieldRows>
  );
}
