import style from "./swatch.module.css";

/** A colour swatch; `dash` 1 to 3 cuts it like the line. */
export function Swatch({ color, dash, off = false }: { color: string; dash: number; off?: boolean }) {
  return <span className={swatchClass(dash, off)} style={{ backgroundColor: color }} aria-hidden="true" />;
}

/** The class name, for elements outside React. */
export function swatchClass(dash: number, off = false): string {
  const cut = [undefined, style.dash1, style.dash2, style.dash3][dash];
  return [style.swatch, cut, off && style.off].filter(Boolean).join(" ");
}
