/** Copying text, also where the page is served without TLS and the browser offers no clipboard. */

/** Whether it worked. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

/** The way of old: select it in a box nobody sees. */
function copySelected(text: string): boolean {
  const box = document.createElement("textarea");
  box.value = text;
  box.style.position = "fixed";
  box.style.opacity = "0";
  // A dialog lets nothing outside itself be selected.
  (document.querySelector("dialog[open]") ?? document.body).append(box);
  const focused = document.activeElement;
  box.select();
  const copied = document.execCommand("copy");
  box.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return copied;
}
