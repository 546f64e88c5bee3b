/** Icons of 16 px with lines of 1.5 px. They have no label; the control around them does. */

const PATHS = {
  search: "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10Zm3.6-1.4L14 14",
  close: "M4 4l8 8M12 4l-8 8",
  down: "M4 6l4 4 4-4",
  up: "M4 10l4-4 4 4",
  right: "M6 4l4 4-4 4",
  left: "M10 4L6 8l4 4",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  reload: "M13.2 6.2A5.5 5.5 0 1 0 13.5 8M13.5 2.8v3.6H9.9",
  lost: "M8 2.8 13.8 13H2.2ZM5.8 10.8l4.4-4.4",
  warning: "M8 2.2 14.2 13H1.8L8 2.2Zm0 4v3.2m0 2v.01",
  fit: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
  wide: "M5 5 2 8l3 3M11 5l3 3-3 3M2.5 8h11",
  narrow: "M2 5l3 3-3 3M14 5l-3 3 3 3M1 8h4M11 8h4",
  check: "M3.5 8.5l3 3 6-7",
  copy: "M5.5 5.5h8v8h-8zM2.5 10.5v-8h8",
  sidebar: "M2.5 3h11v10h-11zM6.5 3v10",
  sliders: "M2.5 5h6M11.5 5h2M2.5 11h2M7.5 11h6M10 3.5v3M6 9.5v3",
  folder: "M2 4.5h4l1.5 1.5H14v7H2z",
  pin: "M6 2.5h4M6.8 2.5v4L4.5 9h7L9.2 6.5v-4M8 9v4.5",
  full: "M9.5 2.5h4v4M13.5 2.5 9 7M6.5 13.5h-4v-4M2.5 13.5 7 9",
  plus: "M8 3.5v9M3.5 8h9",
  info: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Zm0-6.5V11m0-6v.01",
  bookmark: "M4 2.5h8v11l-4-3-4 3z",
  pencil: "M2.5 13.5l.7-3L11 2.7l2.3 2.3-7.8 7.8z",
  trash: "M3 4.5h10M6.5 4V2.5h3V4M4.5 4.5l.5 9h6l.5-9M7 7v4M9 7v4",
  flag: "M4 14V2.5M4 3h8l-2 2.8L12 8.5H4",
  hide: "M2.5 2.5l11 11M6.6 4.2A6.6 6.6 0 0 1 14 8a8 8 0 0 1-1.7 2.4M9.9 11.5A6.6 6.6 0 0 1 2 8a8 8 0 0 1 2.4-2.8",
  download: "M8 2.5v7.5M4.8 7 8 10.2 11.2 7M2.5 13.5h11",
  archive: "M2.5 3h11v3h-11zM3.5 6v7h9V6M6.5 8.5h3",
  play: "M5 3.5l7 4.5-7 4.5z",
  stop: "M4.5 4.5h7v7h-7z",
  columns: "M2.5 3h11v10h-11zM6.2 3v10M9.9 3v10",
  hand: "M8 1.5v13M1.5 8h13M6 3.5l2-2 2 2M6 12.5l2 2 2-2M3.5 6l-2 2 2 2M12.5 6l2 2-2 2",
  lasso:
    "M6 10.6C3.4 10.2 1.8 8.7 2 6.7 2.3 4.2 5.2 2.5 8.4 2.7c3.3.2 5.8 2.2 5.5 4.7-.3 2.3-2.9 3.7-5.8 3.5M6 9.3a1.3 1.3 0 1 0 .1 2.6 1.3 1.3 0 0 0-.1-2.6Zm.2 2.6c.2 1.2-.7 2.1-2.2 2.3",
  box: "M2.5 2.5h2.5M7 2.5h2.5M11.5 2.5h2v2M13.5 6.5V9M13.5 11v2.5h-2M9.5 13.5H7M5 13.5H2.5v-2M2.5 9.5V7M2.5 5V2.5",
  minus: "M3.5 8h9",
  layers: "M8 2.5 14 6 8 9.5 2 6zM2.5 9.5 8 12.8l5.5-3.3",
  pause: "M5.5 3.5v9M10.5 3.5v9",
  repeat: "M3 7.5V7a3 3 0 0 1 3-3h7M10.8 1.8 13 4l-2.2 2.2M13 8.5V9a3 3 0 0 1-3 3H3M5.2 14.2 3 12l2.2-2.2",
  volume: "M2.5 6H5l3.5-3v10L5 10H2.5zM11 5.6a3.4 3.4 0 0 1 0 4.8",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === "more" ? 2 : 1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
