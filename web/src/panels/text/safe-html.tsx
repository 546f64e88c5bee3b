/**
 * HTML that the server has made safe, and nothing else: the one place where HTML becomes elements. Links open
 * elsewhere; what would lead around in this page leads nowhere.
 */

import type { MouseEvent } from "react";
import style from "./safe-html.module.css";

export function SafeHtml({ html }: { html: string }) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: listens to the links inside, which are elements of their own
    // biome-ignore lint/a11y/useKeyWithClickEvents: a link is pressed by Enter as well, and tells so as a click
    <div
      className={style.text}
      dir="auto"
      onClick={openElsewhere}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised by the server; see above
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}

function openElsewhere(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link) return;
  event.preventDefault();
  const address = link.getAttribute("href") ?? "";
  if (/^(https?:|mailto:)/i.test(address)) window.open(address, "_blank", "noopener,noreferrer");
}
