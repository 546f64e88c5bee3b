/** Copies text, also where the page is served without TLS and the browser has no clipboard API. */

/** Returns whether it worked. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

/** The old way: select the text in a hidden text box. */
function copySelected(text: string): boolean {
  const box = document.createElement("textarea");
  box.value = text;
  box.style.position = "fixed";
  box.style.opacity = "0";
  // While a dialog is open, nothing outside it can be selected.
  (document.querySelector("dialog[open]") ?? document.body).append(box);
  const focused = document.activeElement;
  box.select();
  const copied = document.execCommand("copy");
  box.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return copied;
}
