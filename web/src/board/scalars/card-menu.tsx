/** The menu of a card. Loaded on first use. */

import { useContext, useRef } from "react";
import { useWords, type WordId } from "../../i18n/words";
import { copyText } from "../../lib/clipboard";
import { Button } from "../../ui/button";
import { Menu, MenuCheck, MenuItem, MenuLine } from "../../ui/menu";
import { CardExportsContext } from "../cards/card";
import { GraphItem } from "../cards/graph-item";
import { pairOf } from "../cards/validation-pairs";
import { useCapturedStep, windowAround } from "../data/captures";
import { useTags } from "../data/lists";
import { useVisibleRuns } from "../runs/visible-runs";
import { choose, followAll, useChoice } from "../view/cards";
import { join, separate, tagsOf } from "../view/joins";
import { notify } from "../view/notice";
import { movePin } from "../view/pins";
import { OF_CAPTURE } from "../view/profile-view";
import { change, commit, useView } from "../view/view";
import { printView } from "../view/view-address";
import type { PopoverKind } from "./card-popovers";

interface CardMenuProps {
  tag: string;
  label: string;
  /** Whether this card draws the baseline run. */
  hasBaseline: boolean;
  /** Its tags are fixed by a layout. */
  fixedTags: boolean;
  onPopover(popover: PopoverKind): void;
}

export default function CardMenu({ tag, label, hasBaseline, fixedTags, onPopover }: CardMenuProps) {
  const say = useWords();
  const cardExports = useContext(CardExportsContext);
  const next = useRef<PopoverKind | null>(null);
  const then = (popover: PopoverKind) => {
    next.current = popover;
  };
  const close = (open: boolean) => {
    const popover = next.current;
    next.current = null;
    // After the menu has given the focus back.
    if (!open && popover) setTimeout(() => onPopover(popover), 0);
  };
  return (
    <Menu
      align="end"
      defaultOpen
      onOpenChange={close}
      trigger={<Button variant="quiet" size="small" icon="more" label={label} />}
    >
      <Switches tag={tag} hasBaseline={hasBaseline} />
      <MenuLine />
      <MenuItem onSelect={() => then("settings")}>{say("card.settings")}</MenuItem>
      <MenuItem onSelect={() => then("numbers")}>{say("card.numbers")}</MenuItem>
      <OwnChoices tag={tag} />
      <StepInProfile />
      <MenuLine />
      {!fixedTags && <Joining tag={tag} onAdd={() => then("tags")} />}
      <PinOrder tag={tag} />
      <MenuLine />
      {cardExports && <cardExports.Items tag={tag} />}
      <MenuItem onSelect={() => void copy(linkTo(tag), "notice.copied")}>{say("card.copyLink")}</MenuItem>
      <MenuItem onSelect={() => void copy(tag, "action.copied")}>{say("card.copyName")}</MenuItem>
      <ToGraph tag={tag} />
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

/** From the pinned step to its slices, if a capture of its run has it. */
function StepInProfile() {
  const say = useWords();
  const pin = useView((view) => view.pin);
  const found = useCapturedStep(pin?.run ?? "", pin?.step ?? null);
  if (!pin || !found) return null;
  const { capture, span } = found;
  const show = () => {
    const { profile } = useView.getState();
    const window = windowAround(span);
    commit({
      page: "profile",
      subject: "",
      profile: { ...profile, ...OF_CAPTURE, capture, view: "timeline", window },
    });
  };
  return <MenuItem onSelect={show}>{say("card.stepInProfile", { step: pin.step })}</MenuItem>;
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

/** Alternatives to dragging. */
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

function ToGraph({ tag }: { tag: string }) {
  const visible = useVisibleRuns();
  const runs = useTags().find((each) => each.tag === tag)?.runs ?? [];
  return <GraphItem tag={tag} runs={runs.filter((run) => visible.has(run))} />;
}

async function copy(text: string, word: WordId): Promise<void> {
  notify((await copyText(text)) ? word : "notice.notCopied");
}

/** A link to the current view with this card on top. */
function linkTo(tag: string): string {
  const view = useView.getState();
  change({});
  const pinned = [tag, ...view.pinned.filter((each) => each !== tag)];
  return location.origin + location.pathname + printView({ ...view, pinned }, location.search);
}
