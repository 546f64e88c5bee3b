/** One card over the whole window. */

import type { CardPart } from "./scalar-card";

interface FullScreenProps extends CardPart {
  joined: readonly CardPart[];
}

export default function FullScreen({ tag }: FullScreenProps) {
  return <div data-testid="fullscreen">{tag.tag}</div>;
}
