/** Hands a made thing over: as a file of the browser, or as a picture on the clipboard. */

export function saveFile(content: Blob | string, name: string, type = "application/octet-stream"): void {
  const blob = typeof content === "string" ? new Blob([content], { type }) : content;
  const url = URL.createObjectURL(blob);
  saveAddress(url, name);
  // The browser has taken the address over by then; the memory behind it is freed.
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}

const KEPT_MS = 60_000;

/** What the server gives at an address; it says the name where none is given. */
export function saveAddress(address: string, name = ""): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
}

/** Some browsers want the promise at once, while the click still counts; a page without TLS has no clipboard. */
export const canCopyPictures = (): boolean =>
  typeof ClipboardItem !== "undefined" && "clipboard" in navigator;

export async function copyPicture(png: Promise<Blob>): Promise<void> {
  await navigator.clipboard.write([new ClipboardItem({ "image/png": png })]);
}

/** A name of a file on any system, from any text. */
export function fileName(text: string): string {
  const plain = [...text.toLowerCase().normalize("NFC")]
    .map((letter) => (isPlain(letter) ? letter : "-"))
    .join("");
  return (
    plain
      .replace(/-{2,}/g, "-")
      .replace(/^[-.]+|[-.]+$/g, "")
      .slice(0, MOST_LETTERS) || "lightboard"
  );
}

const MOST_LETTERS = 80;

/** Letters and digits of any script; no separators, no marks that a system takes for its own. */
function isPlain(letter: string): boolean {
  return /[\p{L}\p{M}\p{N}._-]/u.test(letter);
}
