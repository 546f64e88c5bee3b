/** Views saved by name, and the link to the present one. */

import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { Menu, MenuItem, MenuLabel, MenuLine } from "../../ui/menu";
import { useAnnotations } from "../data/annotations";
import { openView, sortedViews } from "../data/views";
import { copyLink } from "./actions";
import style from "./views-menu.module.css";

/** More are found in the palette. */
const MOST = 12;

export function ViewsMenu({ onSave, onManage }: { onSave(): void; onManage(): void }) {
  const say = useWords();
  const saved = useAnnotations((annotations) => annotations.views);
  const views = sortedViews(saved);
  return (
    <Menu
      align="end"
      trigger={<Button variant="quiet" icon="bookmark" label={say("views.menu")} data-testid="views" />}
    >
      <MenuItem end="s" onSelect={onSave}>
        {say("views.save")}
      </MenuItem>
      <MenuItem end="y" onSelect={() => void copyLink()}>
        {say("views.link")}
      </MenuItem>
      <MenuLine />
      <MenuLabel>{say("views.saved")}</MenuLabel>
      {views.length === 0 && <MenuItem disabled>{say("views.none")}</MenuItem>}
      {views.slice(0, MOST).map((view) => (
        <MenuItem key={view.name} onSelect={() => openView(view)}>
          <bdi className={style.name} title={view.name}>
            {view.name}
          </bdi>
        </MenuItem>
      ))}
      {views.length > 0 && (
        <>
          <MenuLine />
          <MenuItem onSelect={onManage}>{say("views.manage")}</MenuItem>
        </>
      )}
    </Menu>
  );
}
