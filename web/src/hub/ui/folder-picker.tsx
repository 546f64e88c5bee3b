/** Chooses a folder on the server by browsing those that a project may show. */

import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { createPortal } from "react-dom";
import type { FolderResponse } from "../../api/hub-schema.gen";
import { ago, count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Field } from "../../ui/field";
import { Icon } from "../../ui/icon";
import {
  breadcrumbs,
  type FolderLocation,
  isServerFolder,
  locationOf,
  TOP,
  useFolderBrowser,
  useFolders,
} from "../data/folders";
import { errorText } from "../data/notice";
import style from "./folder-picker.module.css";

interface PickerProps {
  project: string;
  /**
   * The prefix of the folder to browse, such as `storage:`; "" for all folders of the server that the project may
   * show.
   */
  root: string;
  /** The text typed so far. */
  value: string;
  onChoose(location: FolderLocation, uri: string): void;
  onClose(): void;
}

/** The button that opens the picker. */
export function BrowseButton({
  disabled = false,
  ...props
}: Omit<PickerProps, "onClose"> & { disabled?: boolean }) {
  const say = useWords();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        className={style.browse}
        icon="folder"
        disabled={disabled}
        data-testid="browse"
        onClick={() => setOpen(true)}
      >
        {say("hub.browse.open")}
      </Button>
      {open && <FolderPicker {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

export function FolderPicker(props: PickerProps) {
  const say = useWords();
  const { project, root, value, onClose } = props;
  const { list } = useFolders(project, TOP, "", root === "");
  const all = list.data?.pages.flatMap((page) => page.items.map(({ uri }) => uri));
  const roots = root === "" ? all?.filter(isServerFolder) : [root];
  // Forms cannot be nested: the dialog is rendered beside the one that it was opened from.
  return createPortal(
    <Dialog title={say("hub.browse.title")} closeLabel={say("action.close")} open onClose={onClose}>
      {roots?.length === 0 && (
        <div className={style.nothing}>
          <p>{say("hub.browse.noRoots")}</p>
          <p>{say("hub.browse.noRootsHint")}</p>
        </div>
      )}
      {roots && roots.length > 0 && (
        <Browser {...props} several={roots.length > 1} start={startOf(root, value, roots)} />
      )}
      {list.isError && <Trouble fault={list.error} onRetry={() => void list.refetch()} />}
      {list.isLoading && <p className={style.quiet}>{say("hub.browse.reading")}</p>}
    </Dialog>,
    document.body,
  );
}

function startOf(root: string, value: string, roots: readonly string[]): FolderLocation {
  if (root === "") return locationOf(value, roots);
  const path = value.trim().replace(/^storage:/, "");
  return {
    root,
    path: path
      .split("/")
      .filter((part) => part !== "")
      .join("/"),
  };
}

function Browser({
  project,
  start,
  several,
  onChoose,
  onClose,
}: PickerProps & { start: FolderLocation; several: boolean }) {
  const say = useWords();
  const listId = useId();
  const field = useRef<HTMLInputElement>(null);
  const here = useFolderBrowser(project, start, several);
  const { location, prefix, items, active, list, settled } = here;
  const first = list.data?.pages[0];
  const uri = first?.uri ?? "";
  const ready = location.root !== "" && list.isSuccess;
  useEffect(() => field.current?.focus(), []);

  const key = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    const by = STEPS[event.key];
    if (by !== undefined) here.step(by);
    else if (event.key === "Backspace" && prefix === "") here.up();
    // If there are no subfolders, Enter submits the form: this folder is chosen.
    else if (event.key === "Enter" && (items.length > 0 || prefix !== "" || !settled))
      here.open(items[active]);
    else return;
    event.preventDefault();
  };
  const choose = (event: FormEvent) => {
    event.preventDefault();
    // Do not submit the form of the dialog below.
    event.stopPropagation();
    if (!ready) return;
    onChoose(location, uri);
    onClose();
  };
  return (
    <form className={style.picker} onSubmit={choose} data-testid="folder-picker">
      <Breadcrumbs location={location} several={several} onGo={here.go} />
      <Field
        ref={field}
        label={say("hub.browse.filter")}
        clearLabel={say("action.clear")}
        value={prefix}
        onChange={here.type}
        onKeyDown={key}
        listId={listId}
        activeId={items.length > 0 ? `${listId}-${active}` : undefined}
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <div className={style.frame} tabIndex={0} aria-busy={list.isFetching}>
        <FolderList
          id={listId}
          label={say("hub.browse.list", { folder: uri || say("hub.browse.roots") })}
          items={items}
          active={active}
          onPoint={here.point}
          onOpen={here.open}
        />
        {list.isError && <Trouble fault={list.error} onRetry={() => void list.refetch()} />}
        {items.length === 0 && !list.isError && (
          <p className={style.quiet} role="status">
            {settled
              ? say(prefix === "" ? "hub.browse.empty" : "hub.browse.noMatch", { prefix })
              : say("hub.browse.reading")}
          </p>
        )}
        {first && list.hasNextPage && (
          <Button
            size="small"
            className={style.more}
            aria-busy={list.isFetchingNextPage}
            data-testid="more-folders"
            onClick={() => void list.fetchNextPage()}
          >
            {say("hub.browse.more", { shown: count(items.length), total: count(first.total) })}
          </Button>
        )}
      </div>
      {first && <Remarks page={first} />}
      <div className={style.foot}>
        {uri !== "" && <bdi className={style.chosen}>{uri}</bdi>}
        <Button onClick={onClose}>{say("action.cancel")}</Button>
        <Button type="submit" variant="primary" disabled={!ready}>
          {say("hub.browse.choose")}
        </Button>
      </div>
    </form>
  );
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };

/** The parent folders. */
function Breadcrumbs({
  location,
  several,
  onGo,
}: {
  location: FolderLocation;
  several: boolean;
  onGo(to: FolderLocation): void;
}) {
  const say = useWords();
  const way = breadcrumbs(location);
  const top = several ? [{ name: say("hub.browse.roots"), location: TOP }] : [];
  return (
    <nav className={style.way} aria-label={say("hub.browse.path")}>
      <ol>
        {[...top, ...way].map((crumb, at, all) => (
          <li key={`${crumb.location.root} ${crumb.location.path}`}>
            {at > 0 && <Icon name="right" size={12} />}
            <button
              type="button"
              className={style.crumb}
              aria-current={at === all.length - 1 ? "location" : undefined}
              onClick={() => onGo(crumb.location)}
            >
              <bdi>{crumb.name}</bdi>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

interface ListProps {
  id: string;
  label: string;
  items: readonly FolderResponse[];
  active: number;
  onPoint(at: number): void;
  onOpen(folder: FolderResponse): void;
}

function FolderList({ id, label, items, active, onPoint, onOpen }: ListProps) {
  const say = useWords();
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is marked comes into view when that changes
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [active, items.length]);
  return (
    <div ref={list} id={id} role="listbox" aria-label={label}>
      {items.map((folder, at) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the box above has the keys
        // biome-ignore lint/a11y/useFocusableInteractive: aria-activedescendant moves over the list
        <div
          key={folder.uri}
          id={`${id}-${at}`}
          className={style.item}
          role="option"
          aria-selected={at === active}
          data-testid="folder"
          data-logs={folder.logs}
          onMouseMove={() => onPoint(at)}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onOpen(folder)}
        >
          <Icon name="folder" />
          <bdi className={style.name}>{folder.name}</bdi>
          {folder.logs && <span className={style.logs}>{say("hub.browse.logs")}</span>}
          {folder.modified_at !== null && (
            <span className={style.when}>{ago(Date.now() / 1000 - folder.modified_at)}</span>
          )}
        </div>
      ))}
    </div>
  );
}

interface RemarksProps {
  page: { logs: boolean; links_skipped: number; names_skipped: number; complete: boolean };
}

/** Notes that the list alone does not express. */
function Remarks({ page }: RemarksProps) {
  const say = useWords();
  return (
    <div className={style.remarks} role="status" data-testid="remarks">
      {page.logs && (
        <p className={style.good}>
          <Icon name="check" />
          {say("hub.browse.here")}
        </p>
      )}
      {!page.complete && <p className={style.warn}>{say("hub.browse.incomplete")}</p>}
      {page.links_skipped > 0 && <p>{say("hub.browse.links", { count: page.links_skipped })}</p>}
      {page.names_skipped > 0 && <p>{say("hub.browse.names", { count: page.names_skipped })}</p>}
    </div>
  );
}

function Trouble({ fault, onRetry }: { fault: Error; onRetry(): void }) {
  const say = useWords();
  return (
    <div className={style.trouble} role="alert">
      <p>
        <Icon name="warning" />
        <bdi lang="en">{errorText(fault)}</bdi>
      </p>
      <Button size="small" onClick={onRetry}>
        {say("action.retry")}
      </Button>
    </div>
  );
}
