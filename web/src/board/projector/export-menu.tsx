/** The export menu of the projector: the picture, the selected rows, the metadata. */

import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { Menu, MenuItem, MenuLine } from "../../ui/menu";
import { exportMetadata, exportPicture, exportRows, notifyFailure, type PictureOptions } from "./export";
import type { Rows } from "./rows";
import type { Scene } from "./scene";

interface ExportMenuProps extends PictureOptions {
  scene: Scene | null;
  rows: Rows;
}

export function ExportMenu(props: ExportMenuProps) {
  const say = useWords();
  const { tensor, scene, rows } = props;
  const picture = (kind: "svg" | "png") => {
    if (scene) void exportPicture(scene, props, kind).catch(notifyFailure);
  };
  return (
    <Menu align="end" trigger={<Button icon="download" label={say("take.title")} />}>
      <MenuItem onSelect={() => picture("svg")}>{say("take.svg")}</MenuItem>
      <MenuItem onSelect={() => picture("png")}>{say("take.png")}</MenuItem>
      <MenuLine />
      <MenuItem
        disabled={rows.length === 0}
        end={count(rows.length)}
        onSelect={() => void exportRows(tensor, rows, false)}
      >
        {say("projector.take.rows")}
      </MenuItem>
      <MenuItem
        disabled={rows.length === 0}
        end={count(rows.length)}
        onSelect={() => void exportRows(tensor, rows, true)}
      >
        {say("projector.take.vectors")}
      </MenuItem>
      {tensor.columns.length > 0 && (
        <MenuItem onSelect={() => void exportMetadata(tensor).catch(notifyFailure)}>
          {say("projector.take.metadata")}
        </MenuItem>
      )}
    </Menu>
  );
}
