import { browserLanguage, LANGUAGES, type Language, useWords } from "../../i18n/words";
import { redo, undo, useUndoStack } from "../../lib/undo-stack";
import { Button } from "../../ui/button";
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuLine } from "../../ui/menu";
import { useStatus } from "../data/lists";
import { change, useView } from "../view/view";
import type { Theme } from "../view/view-state";
import { useFilesNote } from "./files-note";

export function MainMenu({ onKeys }: { onKeys(): void }) {
  const say = useWords();
  const theme = useView((view) => view.theme);
  const language = useView((view) => view.language) ?? browserLanguage();
  const hasPast = useUndoStack((history) => history.past.length > 0);
  const hasFuture = useUndoStack((history) => history.future.length > 0);
  const version = useStatus().data?.version;
  const filesNote = useFilesNote();
  const themes: readonly { value: Theme; label: string }[] = [
    { value: "system", label: say("theme.system") },
    { value: "light", label: say("theme.light") },
    { value: "dark", label: say("theme.dark") },
  ];
  return (
    <Menu
      align="end"
      trigger={<Button variant="quiet" icon="more" label={say("menu.label")} data-testid="menu" />}
    >
      <MenuItem end="Ctrl Z" disabled={!hasPast} onSelect={undo}>
        {say("keys.undo")}
      </MenuItem>
      <MenuItem end="Ctrl Shift Z" disabled={!hasFuture} onSelect={redo}>
        {say("keys.redo")}
      </MenuItem>
      <MenuLine />
      <MenuChoice
        label={say("theme.label")}
        value={theme}
        options={themes}
        onChange={(value) => change({ theme: value })}
      />
      <MenuLine />
      <MenuChoice
        label={say("language.label")}
        value={language}
        options={LANGUAGES.map(({ language: value, name }) => ({ value, label: name, lang: value }))}
        onChange={(value: Language) => change({ language: value })}
      />
      <MenuLine />
      <MenuItem end="?" onSelect={onKeys}>
        {say("keys.title")}
      </MenuItem>
      {filesNote !== null && <MenuLabel wrap>{filesNote}</MenuLabel>}
      {version && <MenuLabel>{`Lightboard ${version}`}</MenuLabel>}
    </Menu>
  );
}
