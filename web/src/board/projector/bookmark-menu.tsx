/** Bookmarks of a tensor: stored in this browser, saved and loaded as a file, and those from the logs. */

import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { fetchBookmarks } from "../../api/projector";
import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { Popover } from "../../ui/popover";
import { notify } from "../view/notice";
import { useView } from "../view/view";
import { show } from "./bar";
import style from "./bookmark-menu.module.css";
import { type Bookmark, parseBookmarks, printBookmarks } from "./bookmarks";
import { updateExploration, useExploration } from "./exploration";
import { save } from "./export";
import { rowsOf } from "./rows";
import type { Scene } from "./scene";
import { keyOf, type Tensor } from "./tensors";

interface BookmarkMenuProps {
  tensor: Tensor;
  scene: Scene | null;
}

export function BookmarkMenu({ tensor, scene }: BookmarkMenuProps) {
  const say = useWords();
  const { run, name } = tensor;
  const place = `lightboard.projector.${keyOf(tensor)}`;
  const [own, setOwn] = useState<readonly Bookmark[]>([]);
  useEffect(() => setOwn(kept(place)), [place]);
  const fromLogs = useQuery({
    queryKey: ["projector", "bookmarks", keyOf(tensor)],
    queryFn: async ({ signal }) => parseBookmarks(await fetchBookmarks({ run, name }, signal)),
    enabled: tensor.bookmarks,
  });
  const file = useRef<HTMLInputElement>(null);
  const store = (next: readonly Bookmark[]) => {
    setOwn(next);
    keep(place, next);
  };
  const read = async (chosen: File | undefined) => {
    const found = chosen ? parsedFile(await chosen.text()) : [];
    if (found.length === 0) notify("projector.bookmarks.bad");
    else store([...own, ...found]);
  };
  return (
    <Popover
      label={say("projector.bookmarks")}
      trigger={<Button icon="bookmark" label={say("projector.bookmarks")} />}
    >
      <div className={style.sheet}>
        <Adding
          onAdd={(name) => store([...own.filter((each) => each.name !== name), bookmarkNow(name, scene)])}
        />
        {own.length + (fromLogs.data?.length ?? 0) === 0 && <p className={style.note}>{say("views.none")}</p>}
        <ul className={style.list}>
          {(fromLogs.data ?? []).map((each, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: names of a file may repeat
            <li key={`given${at}`}>
              <Going bookmark={each} tensor={tensor} scene={scene} />
            </li>
          ))}
          {own.map((each, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: names of a file may repeat
            <li key={`own${at}`}>
              <Going bookmark={each} tensor={tensor} scene={scene} />
              <Button
                size="small"
                variant="quiet"
                icon="trash"
                label={say("projector.bookmarks.delete", { name: each.name })}
                onClick={() => store(own.filter((other) => other !== each))}
              />
            </li>
          ))}
        </ul>
        <div className={style.actions}>
          <Button
            size="small"
            icon="download"
            disabled={own.length === 0}
            onClick={() => save(printBookmarks(own), `${name}-bookmarks`, ".json", "application/json")}
          >
            {say("projector.bookmarks.save")}
          </Button>
          <Button size="small" icon="folder" onClick={() => file.current?.click()}>
            {say("projector.bookmarks.load")}
          </Button>
          <input
            ref={file}
            type="file"
            hidden
            accept=".json,.txt,application/json"
            aria-label={say("projector.bookmarks.load")}
            onChange={(event) => {
              void read(event.target.files?.[0]);
              event.target.value = "";
            }}
          />
        </div>
      </div>
    </Popover>
  );
}

function Adding({ onAdd }: { onAdd(name: string): void }) {
  const say = useWords();
  const [name, setName] = useState("");
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === "") return;
    onAdd(name.trim());
    setName("");
  };
  return (
    <form className={style.adding} onSubmit={add}>
      <input
        className={style.name}
        value={name}
        placeholder={say("projector.bookmarks.name")}
        aria-label={say("projector.bookmarks.name")}
        onChange={(event) => setName(event.target.value)}
      />
      <Button type="submit" variant="primary" disabled={name.trim() === ""}>
        {say("action.save")}
      </Button>
    </form>
  );
}

function Going({ bookmark, tensor, scene }: BookmarkMenuProps & { bookmark: Bookmark }) {
  const go = () => {
    const { view, camera, selected, isolated } = bookmark;
    show({ ...view, run: tensor.run, tensor: tensor.name });
    updateExploration({
      selection: rowsOf(selected.filter((row) => row < tensor.rows)),
      category: null,
      focus: null,
      alone: false,
      isolated: isolated === null ? null : rowsOf(isolated.filter((row) => row < tensor.rows)),
    });
    if (camera) scene?.lineStyle(camera);
    else scene?.fit();
  };
  return (
    <button type="button" className={style.go} onClick={go}>
      <bdi>{bookmark.name}</bdi>
    </button>
  );
}

function bookmarkNow(name: string, scene: Scene | null): Bookmark {
  const { selection, isolated } = useExploration.getState();
  return {
    name,
    view: useView.getState().projector,
    camera: scene?.camera ?? null,
    selected: [...selection],
    isolated: isolated && [...isolated],
  };
}

function parsedFile(text: string): Bookmark[] {
  try {
    return parseBookmarks(JSON.parse(text));
  } catch {
    return [];
  }
}

function kept(place: string): Bookmark[] {
  try {
    return parsedFile(localStorage.getItem(place) ?? "null");
  } catch {
    return [];
  }
}

function keep(place: string, bookmarks: readonly Bookmark[]): void {
  try {
    localStorage.setItem(place, printBookmarks(bookmarks));
  } catch {
    // Storage may be forbidden or full; the bookmarks then last as long as the page.
  }
}
