/** What can be taken away: the picture, the rows that are selected, the metadata. */

import { Button } from "../../widgets/button";
import { Menu, MenuItem, MenuLine } from "../../widgets/menu";
import { count } from "../../words/format";
import { useWords } from "../../words/words";
import type { Rows } from "./rows";
import { useSave } from "./saving";
import type { Scene } from "./scene";
import { failed, type Sheet, takeMetadata, takePicture, takeRows } from "./taking";

interface TakeAwayProps extends Sheet {
  scene: Scene | null;
  rows: Rows;
}

export function TakeAway(props: TakeAwayProps) {
  const say = useWords();
  const save = useSave();
  const { tensor, scene, rows } = props;
  const picture = (kind: "svg" | "png") => {
    if (scene) void takePicture(scene, props, kind, save).catch(failed);
  };
  return (
    <Menu align="end" trigger={<Button icon="download" label={say("take.title")} />}>
      <MenuItem onSelect={() => picture("svg")}>{say("take.svg")}</MenuItem>
      <MenuItem onSelect={() => picture("png")}>{say("take.png")}</MenuItem>
      <MenuLine />
      <MenuItem
        disabled={rows.length === 0}
        end={count(rows.length)}
        onSelect={() => void takeRows(tensor, rows, false, save)}
      >
        {say("projector.take.rows")}
      </MenuItem>
      <MenuItem
        disabled={rows.length === 0}
        end={count(rows.length)}
        onSelect={() => void takeRows(tensor, rows, true, save)}
      >
        {say("projector.take.vectors")}
      </MenuItem>
      {tensor.columns.length > 0 && (
        <MenuItem onSelect={() => void takeMetadata(tensor, save).catch(failed)}>
          {say("projector.take.metadata")}
        </MenuItem>
      )}
    </Menu>
  );
}
