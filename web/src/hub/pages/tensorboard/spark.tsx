/** The way a figure went, from nothing to the most it was. For the eye only: the number beside it says it. */
export function Spark({ values }: { values: readonly number[] }) {
  const most = Math.max(...values, 0);
  if (values.length < 2 || most === 0) return <svg width="160" height="28" aria-hidden="true" />;
  const points = values.map((value, at) => `${(160 * at) / (values.length - 1)},${27 - (25 * value) / most}`);
  return (
    <svg width="160" height="28" viewBox="0 0 160 28" aria-hidden="true" focusable="false">
      <polyline points={points.join(" ")} fill="none" stroke="var(--accent)" strokeWidth="1.5" />
    </svg>
  );
}
