/** What can be taken away of a mesh: all of it as a file, its picture, the value as it lies in the log. */

import type { RefObject } from "react";
import { type MeshName, meshFileUrl } from "../../api/meshes";
import { rawUrl } from "../../api/values";
import { fileName, saveAddress, saveFile } from "../../base/save";
import { Button } from "../../widgets/button";
import { Menu, MenuItem, MenuLine } from "../../widgets/menu";
import { useWords } from "../../words/words";

interface MeshMenuProps {
  name: MeshName;
  /** Of the vertices. */
  tag: string;
  step: number;
  canvas: RefObject<HTMLCanvasElement | null>;
}

export function MeshMenu({ name, tag, step, canvas }: MeshMenuProps) {
  const say = useWords();
  const raw = rawUrl({ plugin: "mesh", run: name.run, tag, at: name.at });
  return (
    <Menu
      align="end"
      trigger={<Button look="quiet" size="small" icon="more" label={say("mesh.take", { run: name.run })} />}
    >
      <MenuItem onSelect={() => saveAddress(meshFileUrl(name))}>{say("mesh.ply")}</MenuItem>
      <MenuItem onSelect={() => void savePicture(canvas.current, `${name.run}-${name.name}-${step}`)}>
        {say("take.png")}
      </MenuItem>
      <MenuLine />
      <MenuItem onSelect={() => saveAddress(raw)}>{say("mesh.raw")}</MenuItem>
    </Menu>
  );
}

async function savePicture(canvas: HTMLCanvasElement | null, name: string): Promise<void> {
  const blob = await new Promise<Blob | null>((done) => {
    if (canvas) canvas.toBlob(done);
    else done(null);
  });
  if (!blob) return;
  saveFile(blob, `${fileName(name)}.png`);
}
