/** What a job has printed: follows the end while it runs, until the reader scrolls up. */

import { useVirtualizer } from "@tanstack/react-virtual";
import {
  type ReactNode,
  type RefObject,
  useCallback,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { JobDetail } from "../../../api/hub-schema.gen";
import { bytes, count } from "../../../i18n/format";
import { useWords } from "../../../i18n/words";
import { fileName, saveFile } from "../../../lib/download";
import { Button } from "../../../ui/button";
import { Field } from "../../../ui/field";
import { Select } from "../../../ui/select";
import { hasEnded, isNotebook, isWaiting, jobKey } from "../../data/jobs";
import { errorText, notifyError } from "../../data/notice";
import { queries } from "../../data/queries";
import { EmptyState, ErrorNotice } from "../../ui/page";
import { plainText } from "./ansi";
import { tryCollectLog } from "./download-log";
import style from "./job-log.module.css";
import { type LogLine, type Match, matchesOf } from "./log-buffer";
import { LogLineRow } from "./log-line";
import { type LogAddress, LogReader } from "./log-reader";

export function JobLog({ job }: { job: JobDetail }) {
  const say = useWords();
  const [attempt, setAttempt] = useState(0);
  const [rank, setRank] = useState(0);
  const [fromStart, setFromStart] = useState(false);
  const words = isNotebook(job)
    ? { neverRan: say("hub.notebook.neverRan"), waits: say("hub.notebook.waitsWhat") }
    : {
        neverRan: say("hub.log.neverRan"),
        waits: say(job.preset ? "hub.log.waitsResources" : "hub.log.waitsWhat", { replicas: job.replicas }),
      };
  if (job.attempt === 0 && job.status === "Paused")
    return (
      <EmptyState title={say("hub.log.paused")}>
        <p>{say("hub.log.pausedWhat")}</p>
      </EmptyState>
    );
  if (job.attempt === 0)
    return (
      <EmptyState
        title={hasEnded(job) ? words.neverRan : say(job.preset ? "hub.log.waitsFor" : "hub.log.waits")}
      >
        {!hasEnded(job) && <p>{words.waits}</p>}
      </EmptyState>
    );
  const shown = Math.min(attempt || job.attempt, job.attempt);
  const choices = (
    <>
      {job.attempt > 1 && (
        <Select
          label={say("hub.log.attempt")}
          value={String(shown)}
          options={range(job.attempt, 1).map((each) => ({
            value: String(each),
            label: say("hub.job.attempt", { attempt: each }),
          }))}
          // The last one stays the last one, when another begins.
          onChange={(value) => setAttempt(Number(value) === job.attempt ? 0 : Number(value))}
        />
      )}
      {job.replicas > 1 && (
        <Select
          label={say("hub.log.replica")}
          value={String(rank)}
          options={range(job.replicas, 0).map((each) => ({
            value: String(each),
            label: say("hub.log.replicaNumber", { rank: each }),
          }))}
          onChange={(value) => setRank(Number(value))}
        />
      )}
    </>
  );
  return (
    <LogView
      key={`${shown} ${rank} ${fromStart}`}
      job={job}
      address={{ job: job.id, attempt: shown, rank }}
      fromStart={fromStart}
      onFromStart={setFromStart}
      choices={choices}
    />
  );
}

const range = (length: number, first: number) => Array.from({ length }, (_, at) => at + first);

interface LogViewProps {
  job: JobDetail;
  address: LogAddress;
  fromStart: boolean;
  onFromStart(on: boolean): void;
  choices: ReactNode;
}

function LogView({ job, address, fromStart, onFromStart, choices }: LogViewProps) {
  const say = useWords();
  const ended = hasEnded(job);
  const reader = useLogReader(address, fromStart, ended);
  const { buffer, fault, loaded } = reader;
  const { lines, complete } = buffer;
  const [following, setFollowing] = useState(!fromStart);
  const search = useSearch(lines);
  const ran = useRef(!ended);
  useEffect(() => {
    // The log knows before the list of jobs is asked again.
    if (complete && ran.current) void queries.invalidateQueries({ queryKey: jobKey(address.job) });
  }, [complete, address.job]);
  if (fault && !loaded) return <ErrorNotice fault={fault} />;
  return (
    <div className={style.log} data-testid="log" data-complete={complete} aria-busy={!loaded}>
      <div className={style.bar}>
        <SearchField search={search} onJump={() => setFollowing(false)} />
        {choices}
        <span className={style.count}>{loaded && say("hub.log.lines", { count: lines.length })}</span>
        <span className={style.tools}>
          {!ended && !complete && !buffer.full && (
            <Button
              icon="down"
              aria-pressed={following}
              data-testid="follow"
              onClick={() => setFollowing(!following)}
            >
              {say("hub.log.follow")}
            </Button>
          )}
          <DownloadButton address={address} name={job.name} />
        </span>
      </div>
      <Notes reader={reader} job={job} fromStart={fromStart} onFromStart={onFromStart} />
      {lines.length === 0 ? (
        <div className={style.none}>{loaded && say(complete ? "hub.log.empty" : "hub.log.nothingYet")}</div>
      ) : (
        <Lines lines={lines} following={following} onFollow={setFollowing} search={search} />
      )}
    </div>
  );
}

function useLogReader(address: LogAddress, fromStart: boolean, ended: boolean): LogReader {
  const [, setChanges] = useState(0);
  const [reader] = useState(() => {
    return new LogReader(address, fromStart, ended, () => setChanges((before) => before + 1));
  });
  useEffect(() => reader.start(), [reader]);
  return reader;
}

interface NotesProps {
  reader: LogReader;
  job: JobDetail;
  fromStart: boolean;
  onFromStart(on: boolean): void;
}

/** What is missing from the lines that are shown, and why. */
function Notes({ reader, job, fromStart, onFromStart }: NotesProps) {
  const say = useWords();
  const { buffer, fault, address } = reader;
  const waits = isWaiting(job);
  return (
    <>
      {waits && (
        <p className={style.note} role="status">
          {say("hub.log.lastAttempt", { attempt: address.attempt })}
        </p>
      )}
      {fault && (
        <p className={style.note} role="status">
          {say("hub.log.interrupted", { why: errorText(fault) })}
        </p>
      )}
      {buffer.lostBytes > 0 && (
        <p className={style.note}>{say("hub.log.lost", { size: bytes(buffer.lostBytes) })}</p>
      )}
      {buffer.earlier && (
        <p className={style.note}>
          {say("hub.log.onlyEnd")}
          <Button size="small" onClick={() => onFromStart(true)}>
            {say("hub.log.fromStart")}
          </Button>
        </p>
      )}
      {fromStart && buffer.full && (
        <p className={style.note}>
          {say("hub.log.onlyStart", { count: count(buffer.lines.length) })}
          <Button size="small" onClick={() => onFromStart(false)}>
            {say("hub.log.showEnd")}
          </Button>
        </p>
      )}
    </>
  );
}

interface Search {
  text: string;
  setText(text: string): void;
  matches: readonly Match[];
  /** The match that was jumped to, and how many jumps there were. */
  current: Match | null;
  at: number;
  jumps: number;
  /** Jumps to another match. */
  step(by: number): void;
}

function useSearch(lines: readonly LogLine[]): Search {
  const [text, setText] = useState("");
  const [{ at, jumps }, setJump] = useState({ at: -1, jumps: 0 });
  const needle = useDeferredValue(text);
  const matches = useMemo(
    () =>
      needle === ""
        ? []
        : matchesOf(
            lines.map((line) => plainText(line.text)),
            needle,
          ),
    [lines, needle],
  );
  const shown = Math.min(at, matches.length - 1);
  return {
    text,
    setText: (typed) => {
      setText(typed);
      setJump({ at: -1, jumps });
    },
    matches,
    current: matches[shown] ?? null,
    at: shown,
    jumps,
    step: (by) => {
      if (matches.length === 0) return;
      // Logs are read from their end.
      const from = shown < 0 ? (by > 0 ? -1 : 0) : shown;
      setJump({ at: (from + by + matches.length) % matches.length, jumps: jumps + 1 });
    },
  };
}

function SearchField({ search, onJump }: { search: Search; onJump(): void }) {
  const say = useWords();
  const { text, setText, matches, at } = search;
  const step = (by: number) => {
    onJump();
    search.step(by);
  };
  return (
    <search className={style.search}>
      <Field
        label={say("hub.log.search")}
        value={text}
        onChange={setText}
        clearLabel={say("action.clear")}
        className={style.field}
        onKeyDown={(event) => {
          if (event.key === "Enter") step(event.shiftKey ? -1 : 1);
        }}
      />
      {text !== "" && (
        <>
          <span className={style.count} role="status" data-testid="matches">
            {matches.length === 0 ? say("hub.log.noMatch") : `${count(at + 1)} / ${count(matches.length)}`}
          </span>
          <Button
            variant="quiet"
            icon="up"
            label={say("hub.log.previous")}
            disabled={matches.length === 0}
            onClick={() => step(-1)}
          />
          <Button
            variant="quiet"
            icon="down"
            label={say("hub.log.next")}
            disabled={matches.length === 0}
            onClick={() => step(1)}
          />
        </>
      )}
    </search>
  );
}

function DownloadButton({ address, name }: { address: LogAddress; name: string }) {
  const say = useWords();
  const [running, setRunning] = useState<{ stop: AbortController; read: number } | null>(null);
  useEffect(() => () => running?.stop.abort(), [running?.stop]);
  const download = async () => {
    const stop = new AbortController();
    setRunning({ stop, read: 0 });
    try {
      const text = await tryCollectLog(address, stop.signal, (read) => setRunning({ stop, read }));
      if (text) saveFile(text, `${fileName(`${name}-${address.attempt}-${address.rank}`)}.log`);
    } catch (fault) {
      notifyError(fault);
    } finally {
      setRunning(null);
    }
  };
  if (running)
    return (
      <Button icon="close" data-testid="cancel-download" onClick={() => running.stop.abort()}>
        {say("hub.log.downloading", { size: bytes(running.read) })}
      </Button>
    );
  return (
    <Button icon="download" data-testid="download" onClick={() => void download()}>
      {say("hub.log.download")}
    </Button>
  );
}

const LINE_PX = 18;
/** The width of a letter of the font of the log. */
const LETTER_PX = 7.2;
/** Letters in a row, until it can be measured. */
const LETTERS = 150;
/** Within this distance of the end the log keeps scrolling. */
const NEAR_PX = 24;
const PADDING_PX = 8;

interface LinesProps {
  lines: readonly LogLine[];
  following: boolean;
  onFollow(on: boolean): void;
  search: Search;
}

function Lines({ lines, following, onFollow, search }: LinesProps) {
  const say = useWords();
  const box = useRef<HTMLDivElement>(null);
  const letters = useLetters(box);
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    // Lines break wherever there is no more room.
    estimateSize: (at) => LINE_PX * Math.max(1, Math.ceil(plainText(lines[at]!.text).length / letters)),
    // A new function is a reason to look at all lines again.
    getItemKey: useCallback((at: number) => lines[at]!.number, [lines]),
    // What is read stays in its place when earlier lines are dropped.
    anchorTo: "end",
    overscan: 20,
    paddingStart: PADDING_PX,
    paddingEnd: PADDING_PX,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: lines are another height then
  useLayoutEffect(() => {
    rows.measure();
    for (const line of box.current!.querySelectorAll<HTMLDivElement>("[data-index]"))
      rows.measureElement(line);
  }, [letters]);
  const height = rows.getTotalSize();
  // biome-ignore lint/correctness/useExhaustiveDependencies: new lines, and lines that turn out higher, move the end
  useLayoutEffect(() => {
    if (following && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [following, lines, height]);
  const { current, jumps, matches } = search;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a jump is made once, however the lines change later
  useEffect(() => {
    if (current) rows.scrollToIndex(current.line, { align: "center" });
  }, [jumps]);
  const lastTop = useRef(0);
  const byLine = useMemo(() => matchesByLine(matches), [matches]);
  return (
    <div className={style.frame}>
      <div
        ref={box}
        className={style.box}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-label={say("hub.job.part.logs")}
        data-testid="log-lines"
        lang="en"
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          if (scrollHeight - scrollTop - clientHeight < NEAR_PX) onFollow(true);
          else if (scrollTop < lastTop.current - 1) onFollow(false);
          lastTop.current = scrollTop;
        }}
      >
        <div className={style.lines} style={{ height }}>
          {rows.getVirtualItems().map((row) => (
            <LogLineRow
              key={row.key}
              ref={rows.measureElement}
              line={lines[row.index]!}
              index={row.index}
              top={row.start}
              matches={byLine.get(row.index) ?? NO_MATCHES}
              current={current?.line === row.index ? current : null}
            />
          ))}
        </div>
      </div>
      {!following && (
        <Button className={style.toEnd} icon="down" data-testid="to-end" onClick={() => onFollow(true)}>
          {say("hub.log.toEnd")}
        </Button>
      )}
    </div>
  );
}

const NO_MATCHES: readonly Match[] = [];

function matchesByLine(matches: readonly Match[]): ReadonlyMap<number, readonly Match[]> {
  const byLine = new Map<number, Match[]>();
  for (const match of matches) {
    const found = byLine.get(match.line);
    if (found) found.push(match);
    else byLine.set(match.line, [match]);
  }
  return byLine;
}

/** How many letters have room in a row. */
function useLetters(box: RefObject<HTMLDivElement | null>): number {
  const [letters, setLetters] = useState(LETTERS);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => {
      const width = box.current?.querySelector(`.${style.text}`)?.clientWidth ?? 0;
      if (width > 0) setLetters(Math.max(1, Math.floor(width / LETTER_PX)));
    });
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, [box]);
  return letters;
}
