/** Everything one can do with a card: the menu behind its dots. Loaded when it is first asked for. */

import { useContext, useRef } from "react";
import { TakeAwayContext } from "../../panel/take-away";
import { choose, followAll, useChoice } from "../../state/cards";
import { copyText } from "../../state/clipboard";
import { join, separate, tagsOf } from "../../state/joins";
import { useTags } from "../../state/lists";
import { notify } from "../../state/notice";
import { pairOf } from "../../state/pairs";
import { movePin } from "../../state/pins";
import { change, useView } from "../../state/view";
import { printView } from "../../state/viewstate";
import { Button } from "../../widgets/button";
import { Menu, MenuCheck, MenuItem, MenuLine } from "../../widgets/menu";
import { useWords, type WordId } from "../../words/words";
import type { SheetKind } from "./card-sheets";

interface CardMenuProps {
  tag: string;
  label: string;
  /** Whether this card draws the baseline run. */
  hasBaseline: boolean;
  /** Its tags were chosen elsewhere, and stay. */
  made: boolean;
  onSheet(sheet: SheetKind): void;
}

export default function CardMenu({ tag, label, hasBaseline, made, onSheet }: CardMenuProps) {
  const say = useWords();
  const takeAway = useContext(TakeAwayContext);
  const next = useRef<SheetKind | null>(null);
  const then = (sheet: SheetKind) => {
    next.current = sheet;
  };
  const close = (open: boolean) => {
    const sheet = next.current;
    next.current = null;
    // After the menu has given the focus back.
    if (!open && sheet) setTimeout(() => onSheet(sheet), 0);
  };
  return (
    <Menu
      align="end"
      defaultOpen
      onOpenChange={close}
      trigger={<Button look="quiet" size="small" icon="more" label={label} />}
    >
      <Switches tag={tag} hasBaseline={hasBaseline} />
      <MenuLine />
      <MenuItem onSelect={() => then("settings")}>{say("card.settings")}</MenuItem>
      <MenuItem onSelect={() => then("numbers")}>{say("card.numbers")}</MenuItem>
      <OwnChoices tag={tag} />
      <MenuLine />
      {!made && <Joining tag={tag} onAdd={() => then("tags")} />}
      <PinOrder tag={tag} />
      <MenuLine />
      {takeAway && <takeAway.Items tag={tag} />}
      <MenuItem onSelect={() => void copy(linkTo(tag), "notice.copied")}>{say("card.copyLink")}</MenuItem>
      <MenuItem onSelect={() => void copy(tag, "action.copied")}>{say("card.copyName")}</MenuItem>
    </Menu>
  );
}

function Switches({ tag, hasBaseline }: { tag: string; hasBaseline: boolean }) {
  const say = useWords();
  const choice = useChoice(tag);
  const view = useView();
  const logY = choice.logY ?? view.logY;
  const logX = choice.logX ?? view.logX;
  const ignoreOutliers = choice.ignoreOutliers ?? view.ignoreOutliers;
  return (
    <>
      <MenuCheck checked={logY} onChange={(on) => choose(tag, { logY: on })}>
        {say("card.logY")}
      </MenuCheck>
      <MenuCheck checked={logX} onChange={(on) => choose(tag, { logX: on })}>
        {say("card.logX")}
      </MenuCheck>
      <MenuCheck checked={ignoreOutliers} onChange={(on) => choose(tag, { ignoreOutliers: on })}>
        {say("bar.outliers")}
      </MenuCheck>
      <MenuCheck
        checked={choice.baseline ?? false}
        disabled={!hasBaseline}
        onChange={(on) => choose(tag, { baseline: on })}
      >
        {view.baseline === null ? say("card.noBaseline") : say("card.baseline", { run: view.baseline })}
      </MenuCheck>
      <MenuCheck checked={choice.wide ?? false} onChange={(on) => choose(tag, { wide: on })}>
        {say("card.wide")}
      </MenuCheck>
    </>
  );
}

function OwnChoices({ tag }: { tag: string }) {
  const say = useWords();
  const own = Object.keys(useChoice(tag)).length > 0;
  return own ? <MenuItem onSelect={() => followAll(tag)}>{say("card.followPage")}</MenuItem> : null;
}

function Joining({ tag, onAdd }: { tag: string; onAdd(): void }) {
  const say = useWords();
  const tags = tagsOf(
    useView((view) => view.joined),
    tag,
  );
  const pair = pairOf(
    tag,
    useTags().map((each) => each.tag),
  );
  return (
    <>
      {pair !== null && !tags.includes(pair) && (
        <MenuItem onSelect={() => join(tag, pair)}>{say("card.joinPair", { tag: pair })}</MenuItem>
      )}
      <MenuItem onSelect={onAdd}>{say("card.addTag")}</MenuItem>
      {tags.length > 1 &&
        tags.map((each) => (
          <MenuItem key={each} onSelect={() => separate(each)}>
            {say("card.separate", { tag: each })}
          </MenuItem>
        ))}
    </>
  );
}

/** What is done by drag too. */
function PinOrder({ tag }: { tag: string }) {
  const say = useWords();
  const pinned = useView((view) => view.pinned);
  const at = pinned.indexOf(tag);
  if (at < 0 || pinned.length < 2) return null;
  return (
    <>
      <MenuItem disabled={at === 0} onSelect={() => movePin(tag, -1)}>
        {say("pins.earlier")}
      </MenuItem>
      <MenuItem disabled={at === pinned.length - 1} onSelect={() => movePin(tag, 1)}>
        {say("pins.later")}
      </MenuItem>
    </>
  );
}

async function copy(text: string, word: WordId): Promise<void> {
  notify((await copyText(text)) ? word : "notice.notCopied");
}

/** The view as it is, with this card on top. */
function linkTo(tag: string): string {
  const view = useView.getState();
  change({});
  const pinned = [tag, ...view.pinned.filter((each) => each !== tag)];
  return location.origin + location.pathname + printView({ ...view, pinned }, location.search);
}
