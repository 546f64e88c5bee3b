/** Arranges images in a box that does not scroll: as large as possible, the rest is counted. Pure. */

export interface Tiling {
  /** Size of the place of one image, in px. */
  width: number;
  height: number;
  /** Number of images shown. */
  shown: number;
}

const GAP_PX = 8;
/** Smaller images are not readable. */
const LEAST_PX = 44;
/** More images cannot be compared at a glance. */
const MOST = 60;

/** Height of the caption below images of a width. */
export type FootPx = (widthPx: number) => number;

export function tilingOf(count: number, box: { width: number; height: number }, footPx: FootPx): Tiling {
  for (let shown = Math.min(count, MOST); shown > 1; shown--) {
    const best = arranged(shown, box, footPx);
    if (Math.min(best.width, best.height) >= LEAST_PX) return best;
  }
  return {
    width: Math.max(1, box.width),
    height: Math.max(LEAST_PX, box.height - footPx(box.width)),
    shown: 1,
  };
}

/** The arrangement that makes the images largest. */
function arranged(shown: number, box: { width: number; height: number }, footPx: FootPx): Tiling {
  let best: Tiling = { width: 0, height: 0, shown };
  for (let columns = 1; columns <= shown; columns++) {
    const rows = Math.ceil(shown / columns);
    const width = Math.floor((box.width - (columns - 1) * GAP_PX) / columns);
    const height = Math.floor((box.height - (rows - 1) * GAP_PX) / rows) - footPx(width);
    if (Math.min(width, height) > Math.min(best.width, best.height)) best = { width, height, shown };
  }
  return best;
}
