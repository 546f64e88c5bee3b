import style from "./swatch.module.css";

/** A spot of colour; `dash` 1 to 3 cuts it as the line is cut. */
export function Swatch({ color, dash, off = false }: { color: string; dash: number; off?: boolean }) {
  return <span className={swatchClass(dash, off)} style={{ backgroundColor: color }} aria-hidden="true" />;
}

/** The same for elements made without React. */
export function swatchClass(dash: number, off = false): string {
  const cut = [undefined, style.dash1, style.dash2, style.dash3][dash];
  return [style.swatch, cut, off && style.off].filter(Boolean).join(" ");
}
