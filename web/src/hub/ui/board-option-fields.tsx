/** The option of a new job or notebook to have a TensorBoard, with the dataset and log path of its logs. */

import { useWords } from "../../i18n/words";
import { Check } from "../../ui/check";
import { Choice } from "../../ui/choice";
import { TextBox } from "../../ui/text-box";
import { usePermitted } from "../data/accounts";
import { type BoardOption, datasetRoot, OWN, STORAGE } from "../data/board-option";
import { useDatasets } from "../data/datasets";
import { BrowseButton } from "./folder-picker";
import style from "./form.module.css";

const EXAMPLE = "logs/fit";

interface BoardOptionProps {
  option: BoardOption;
  /** What its own folder is called. */
  own: string;
  project: string;
  fault: string | undefined;
  /** Whether it only shows the folder, because the job or notebook exists already. */
  shown?: boolean;
  onChange(option: BoardOption): void;
}

export function BoardOptionFields(props: BoardOptionProps) {
  const say = useWords();
  const { option, onChange } = props;
  if (!usePermitted("use_tensorboards")) return null;
  return (
    <>
      <label className={style.check}>
        <Check
          checked={option.enabled}
          data-testid="with-board"
          onChange={(event) => onChange({ ...option, enabled: event.target.checked })}
        />
        {say("hub.act.enable")}
      </label>
      {option.enabled && <LogPlace {...props} />}
    </>
  );
}

/** Kinds of datasets that can be written to. */
const FOLDERS: ReadonlySet<string> = new Set(["storage", "path", "nfs", "pvc", "reference"]);

export function LogPlace({ option, own, project, fault, shown = false, onChange }: BoardOptionProps) {
  const say = useWords();
  const { root, path } = option;
  const datasets = (useDatasets(project).data?.items ?? []).filter(({ kind }) => FOLDERS.has(kind));
  const options = [
    { value: OWN, label: own },
    { value: STORAGE, label: say("hub.boardOption.storage") },
    ...datasets.map((each) => ({ value: datasetRoot(each.name), label: each.display_name || each.name })),
  ];
  if (!options.some((each) => each.value === root)) options.push({ value: root, label: root });
  return (
    <div className={style.nested} data-testid="log-place">
      <Choice
        label={say("hub.kind.dataset")}
        value={root}
        options={options}
        onChange={(chosen) => onChange({ ...option, root: chosen, path: "" })}
        hint={say(shown ? "hub.boardOption.shown" : "hub.boardOption.what")}
      />
      {root !== OWN && (
        <TextBox
          label={say("hub.field.logPath")}
          hint={say(shown ? "hub.boardOption.shownPath" : "hub.boardOption.pathHint")}
          fault={fault}
          code
          value={path}
          placeholder={EXAMPLE}
          maxLength={4096}
          data-testid="log-path"
          onChange={(typed) => onChange({ ...option, path: typed })}
          beside={
            <BrowseButton
              project={project}
              root={root}
              value={path}
              onChoose={(folder) => onChange({ ...option, path: folder.path })}
            />
          }
        />
      )}
    </div>
  );
}
