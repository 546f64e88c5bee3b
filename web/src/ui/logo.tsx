/** A line going down: what everybody hopes to see. */
export function Logo() {
  return (
    <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
      <defs>
        <linearGradient id="logo" x1="0" y1="0" x2="1" y2="1">
          <stop stopColor="#466bf4" />
          <stop offset="1" stopColor="#7512a6" />
        </linearGradient>
      </defs>
      <rect width="24" height="24" rx="6" fill="url(#logo)" />
      <path
        d="M5.5 6.5c2.2 7.4 5.4 10.3 13 10.5"
        fill="none"
        stroke="#fff"
        strokeWidth="2.2"
        strokeLinecap="round"
      />
    </svg>
  );
}
