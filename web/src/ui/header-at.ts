/**
 * The column whose header is under the pointer, as one is dragged along the others. Only the middle of a header counts:
 * near its edge, two headers of different widths would keep swapping places.
 */
export function headerAt({ clientX, clientY }: { clientX: number; clientY: number }): string | null {
  for (const under of document.elementsFromPoint(clientX, clientY)) {
    const head = under.closest<HTMLElement>("[data-column]");
    if (!head || head.dataset.dragging !== undefined) continue;
    const box = head.getBoundingClientRect();
    const part = (clientX - box.left) / box.width;
    return part > 0.25 && part < 0.75 ? head.dataset.column! : null;
  }
  return null;
}
