/** A spot of colour in the shape that the points of a category have. */

interface ShapeMarkProps {
  color: string;
  /** As in the palette: disc, ring, square, diamond. */
  shape: number;
}

export function ShapeMark({ color, shape }: ShapeMarkProps) {
  return (
    <svg
      width={12}
      height={12}
      viewBox="-6 -6 12 12"
      aria-hidden="true"
      focusable="false"
      style={{ flex: "none" }}
    >
      {shape === 0 && <circle r={4.5} fill={color} />}
      {shape === 1 && <circle r={3.5} fill="none" stroke={color} strokeWidth={2} />}
      {shape === 2 && <rect x={-4} y={-4} width={8} height={8} fill={color} />}
      {shape === 3 && <path d="M0-5.5 5.5 0 0 5.5-5.5 0z" fill={color} />}
    </svg>
  );
}
