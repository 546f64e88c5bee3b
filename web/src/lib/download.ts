/** Saves files through the browser, and copies pictures to the clipboard. */

export function saveFile(content: Blob | string, name: string, type = "application/octet-stream"): void {
  const blob = typeof content === "string" ? new Blob([content], { type }) : content;
  const url = URL.createObjectURL(blob);
  saveUrl(url, name);
  // By then the browser has read the URL, so its memory can be freed.
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}

const KEPT_MS = 60_000;

/** Downloads a URL; without a name the server chooses it. */
export function saveUrl(address: string, name = ""): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
}

/** Some browsers need the promise at once, while the click still counts; without TLS there is no clipboard. */
export const canCopyPictures = (): boolean =>
  typeof ClipboardItem !== "undefined" && "clipboard" in navigator;

export async function copyPicture(png: Promise<Blob>): Promise<void> {
  await navigator.clipboard.write([new ClipboardItem({ "image/png": png })]);
}

/** Makes a file name that is valid on every system. */
export function fileName(text: string): string {
  const plain = [...text.toLowerCase().normalize("NFC")]
    .map((letter) => (isPlain(letter) ? letter : "-"))
    .join("");
  return (
    plain
      .replace(/-{2,}/g, "-")
      .replace(/^[-.]+|[-.]+$/g, "")
      .slice(0, MAX_LETTERS) || "lightboard"
  );
}

const MAX_LETTERS = 80;

/** Letters and digits of any script; no separators, no characters that are special to a system. */
function isPlain(letter: string): boolean {
  return /[\p{L}\p{M}\p{N}._-]/u.test(letter);
}
