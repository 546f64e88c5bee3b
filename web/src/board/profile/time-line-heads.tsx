/** The heads of processes and tracks over the picture: they open and close, and keep tracks on top. */

import type { ReactNode } from "react";
import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { Icon } from "../../ui/icon";
import type { PlaceKey } from "../view/profile-view";
import type { TimeLine } from "./profiles";
import style from "./time-line-heads.module.css";
import { HEAD_PX, type Places, pictureY, type Scroll, type TrackPlace } from "./time-line-places";

interface HeadsProps {
  line: TimeLine;
  places: Places;
  scroll: Scroll;
  /** Of the picture. */
  height: number;
  onFold(key: PlaceKey): void;
  onPin(key: PlaceKey): void;
}

const MARGIN_PX = 400;

/** Those that are seen, and some more, which keys reach. */
export function TimeLineHeads({ line, places, scroll, height, onFold, onPin }: HeadsProps) {
  const isNear = (top: number) => {
    const y = pictureY(top, scroll);
    return y > -MARGIN_PX && y < height + MARGIN_PX;
  };
  const owner = (host: number) => (line.hosts.length > 1 ? `${line.hosts[host]} · ` : "");
  const trackHead = (place: TrackPlace) => {
    const track = line.tracks[place.track]!;
    const before = place.isPinned ? `${owner(track.host)}${track.process} · ` : "";
    return (
      <Head
        key={place.key}
        name={before + track.name}
        isOpen={place.isOpen}
        top={place.top}
        onFold={() => onFold(place.key)}
      >
        <PinButton name={track.name} isPinned={place.isPinned} onPin={() => onPin(place.key)} />
      </Head>
    );
  };
  return (
    <>
      <div className={style.scrolled} style={{ clipPath: `inset(${scroll.top + scroll.stuck}px 0 0 0)` }}>
        {places.processes
          .filter(({ top }) => isNear(top))
          .map(({ key, host, name, isOpen, top, tracks }) => (
            <Head
              key={key}
              name={owner(host) + name}
              isOpen={isOpen}
              isProcess
              top={top}
              onFold={() => onFold(key)}
            >
              <span className={style.count}>{count(tracks)}</span>
            </Head>
          ))}
        {places.tracks.filter(({ top }) => top >= scroll.stuck && isNear(top)).map(trackHead)}
      </div>
      <div className={style.stuck}>
        {places.tracks.filter(({ top }) => top < scroll.stuck).map(trackHead)}
      </div>
    </>
  );
}

interface HeadProps {
  name: string;
  isOpen: boolean;
  isProcess?: boolean;
  top: number;
  onFold(): void;
  children: ReactNode;
}

function Head({ name, isOpen, isProcess = false, top, onFold, children }: HeadProps) {
  return (
    <div className={isProcess ? style.process : style.track} style={{ top, height: HEAD_PX }}>
      <button type="button" className={style.fold} aria-expanded={isOpen} title={name} onClick={onFold}>
        <Icon name={isOpen ? "down" : "right"} size={12} />
        <bdi className={style.name}>{name}</bdi>
      </button>
      {children}
    </div>
  );
}

function PinButton({ name, isPinned, onPin }: { name: string; isPinned: boolean; onPin(): void }) {
  const say = useWords();
  return (
    <button
      type="button"
      className={style.pin}
      aria-pressed={isPinned}
      aria-label={say("profile.pin", { name })}
      title={say("profile.pin", { name })}
      onClick={onPin}
    >
      <Icon name="pin" size={12} />
    </button>
  );
}
