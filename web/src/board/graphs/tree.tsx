/** The boxes as a tree for keyboards and screen readers; the picture shows which one has the focus. */

import { type KeyboardEvent, memo, useId, useMemo, useState } from "react";
import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { outlineOf } from "./geometry/outline";
import type { Picture, PlacedBox } from "./geometry/picture";
import type { GraphStage } from "./stage";
import style from "./tree.module.css";

interface TreeProps {
  picture: Picture;
  stage: GraphStage | null;
  selected: string;
  label: string;
  /** What else there is to say of a box; may be empty. */
  noteOf(placed: PlacedBox): string;
  onSelect(placed: PlacedBox | null): void;
  onToggle(placed: PlacedBox): void;
}

const CLOSER = 1.25;

/** What follows the pointer renders the page around it again, but not the tree. */
export const Tree = memo(function Tree({
  picture,
  stage,
  selected,
  label,
  noteOf,
  onSelect,
  onToggle,
}: TreeProps) {
  const id = useId();
  const [chosen, choose] = useState("");
  const [focused, setFocused] = useState(false);
  const items = useMemo(() => outlineOf(picture), [picture]);
  // The member that an open stack shows may be selected by its own path.
  const selectedPath = picture.boxes[picture.places.get(selected) ?? -1]?.box.path ?? "";
  const activePath = picture.places.has(chosen) ? chosen : selectedPath;
  const active = Math.max(
    0,
    items.findIndex(({ at }) => picture.boxes[at]!.box.path === activePath),
  );
  const activate = (place: number) => {
    const item = items[Math.min(items.length - 1, Math.max(0, place))];
    if (!item) return;
    const { path } = picture.boxes[item.at]!.box;
    choose(path);
    stage?.activate(path);
  };
  const handleKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const item = items[active];
    const placed = item && picture.boxes[item.at];
    if (!placed) return;
    const around = () => items.findIndex(({ at }) => at === placed.parent);
    if (event.key === "ArrowDown") activate(active + 1);
    else if (event.key === "ArrowUp") activate(active - 1);
    else if (event.key === "Home") activate(0);
    else if (event.key === "End") activate(items.length - 1);
    else if (event.key === "ArrowRight" && placed.box.opens) {
      if (placed.open) activate(active + 1);
      else onToggle(placed);
    } else if (event.key === "ArrowLeft") {
      if (placed.open) onToggle(placed);
      else if (placed.parent >= 0) activate(around());
    } else if (event.key === "Enter") {
      if (placed.box.opens) onToggle(placed);
      else onSelect(placed);
    } else if (event.key === " ") onSelect(placed);
    else if (event.key === "Escape") onSelect(null);
    else if (event.key === "+" || event.key === "=") stage?.zoom(CLOSER);
    else if (event.key === "-" || event.key === "_") stage?.zoom(1 / CLOSER);
    else if (event.key === "0") stage?.fit("");
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      role="tree"
      className={style.tree}
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={focused ? `${id}-${active}` : undefined}
      data-testid="graph-tree"
      onKeyDown={handleKey}
      onFocus={() => {
        setFocused(true);
        activate(active);
      }}
      onBlur={() => {
        setFocused(false);
        stage?.activate("");
      }}
    >
      {items.map(({ at, level, position, size }, place) => (
        <TreeItem
          key={picture.boxes[at]!.box.path}
          id={`${id}-${place}`}
          placed={picture.boxes[at]!}
          extra={noteOf(picture.boxes[at]!)}
          level={level}
          position={position}
          size={size}
          selected={picture.boxes[at]!.box.path === selectedPath}
        />
      ))}
    </div>
  );
});

interface TreeItemProps {
  id: string;
  placed: PlacedBox;
  extra: string;
  level: number;
  position: number;
  size: number;
  selected: boolean;
}

/** Moving from one item to the next renders neither of them again. */
const TreeItem = memo(function TreeItem({
  id,
  placed,
  extra,
  level,
  position,
  size,
  selected,
}: TreeItemProps) {
  const say = useWords();
  const { box, open, text, rect } = placed;
  const note = box.opens ? text.note : box.op;
  const name = box.kind === "rest" ? say("graphs.more", { count: count(box.members) }) : text.title;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus, and names its item
    <div
      role="treeitem"
      id={id}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={size}
      aria-selected={selected}
      {...(box.opens && { "aria-expanded": open })}
      data-path={box.path}
      data-rect={[rect.x, rect.y, rect.width, rect.height].map(Math.round).join()}
      data-links={count(placed.links)}
    >
      {[name, note, extra].filter((part) => part !== "").join(", ")}
    </div>
  );
});
