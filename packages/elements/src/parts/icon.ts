import { html, svg, type TemplateResult } from "lit"

/** Paths on a field of 20 × 20, drawn with a line of 1.5. */
const paths = {
  back: "M12 5l-5 5 5 5",
  forward: "M8 5l5 5-5 5",
  down: "M5 8l5 5 5-5",
  close: "M5.5 5.5l9 9M14.5 5.5l-9 9",
  check: "M4.5 10.5l3.5 3.5 7.5-8",
  plus: "M10 4.5v11M4.5 10h11",
  search: "M9 14A5 5 0 109 4a5 5 0 000 10zM12.8 12.8L16.5 16.5",
  clock: "M10 17a7 7 0 100-14 7 7 0 000 14zM10 6v4.2l2.7 1.8",
  person: "M10 10a3.2 3.2 0 100-6.4A3.2 3.2 0 0010 10zM3.8 16.6c.8-3 3.2-4.4 6.2-4.4s5.4 1.4 6.2 4.4",
  label: "M3.5 9.6V4.5a1 1 0 011-1h5.1l6.7 6.7a1 1 0 010 1.4l-4.7 4.7a1 1 0 01-1.4 0L3.5 9.6zM7 7h.01",
  note: "M5 3.5h10a1 1 0 011 1V12l-4 4.5H5a1 1 0 01-1-1v-11a1 1 0 011-1zM12 16.2V12h4M7 7.5h6M7 10.5h3",
  heart: "M10 16.3S3.7 12.8 3.7 8.3A3.3 3.3 0 0110 6.9a3.3 3.3 0 016.3 1.4c0 4.5-6.3 8-6.3 8z",
  hide: "M3 3l14 14M8.2 8.3a2.5 2.5 0 003.5 3.5M5.3 5.7C3.5 6.9 2.5 8.7 2 10c1.2 2.8 4 5.5 8 5.5 1.5 0 2.8-.4 4-1M8.5 4.6c.5-.1 1-.1 1.5-.1 4 0 6.8 2.7 8 5.5-.3.700-.8 1.5-1.4 2.3",
  show: "M10 15.5c-4 0-6.8-2.7-8-5.5 1.2-2.8 4-5.5 8-5.5s6.8 2.7 8 5.5c-1.2 2.8-4 5.5-8 5.5zM10 12.5a2.5 2.5 0 100-5 2.5 2.5 0 000 5z",
  trash: "M4 5.5h12M8 5.5V4h4v1.5M5.5 5.5l.7 10.5h7.6l.7-10.5M8.5 8.5v4.5M11.5 8.5v4.5",
  send: "M3.5 10L16.5 4l-3.8 12.5-3-4.7L3.5 10zM9.7 11.8L16.5 4",
  reply: "M8.5 5L4 9.5 8.5 14M4 9.5h7.5c2.5 0 4.5 2 4.5 4.5v1",
  lock: "M6 9V7a4 4 0 018 0v2M5 9h10v7.5H5z",
  external: "M11.5 4H16v4.5M16 4l-7 7M13.5 11.5V16H4V6.5h4.5",
  unread: "M3.5 5.5h13v9h-13zM3.5 6l6.5 5 6.5-5",
  warning: "M10 3.5l7.3 12.7H2.7L10 3.5zM10 8.3v3.5M10 14h.01",
  refresh: "M16 4.5V8h-3.5M15.7 8A6.2 6.2 0 1016 11",
  more: "M5 10h.01M10 10h.01M15 10h.01",
  panel: "M3.5 4.5h13v11h-13zM12 4.5v11",
  keyboard: "M3 5.5h14v9H3zM5.8 8.5h.01M8.6 8.5h.01M11.4 8.5h.01M14.2 8.5h.01M7 11.7h6",
  filter: "M3.5 5.5h13M6 10h8M8.5 14.5h3",
  file: "M6 3.5h5.5L15 7v9.5H6zM11.5 3.5V7H15",
  play: "M7 5l8 5-8 5z"
}

/** A picture that says nothing of its own: the control that holds it has the words. */
export type IconName = keyof typeof paths

/** A line drawing in the text's colour and size; not told to a screen reader. */
export const icon = (name: IconName, size = 18): TemplateResult =>
  html`<svg
    class="icon icon-${name}"
    width=${size}
    height=${size}
    viewBox="0 0 20 20"
    fill="none"
    stroke="currentColor"
    stroke-width="1.5"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    ${svg`<path d=${paths[name]}></path>`}
  </svg>`
