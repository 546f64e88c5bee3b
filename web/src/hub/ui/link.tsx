/** A link to another page of the console. It does not reload the page, unless a new tab is opened. */

import type { ComponentProps, MouseEvent } from "react";
import { address, go } from "../data/route";

export function Link({ to, onClick, ...rest }: ComponentProps<"a"> & { to: string }) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey)
      return;
    event.preventDefault();
    go(to);
  };
  return <a href={address(to)} onClick={follow} {...rest} />;
}
