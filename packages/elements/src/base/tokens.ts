import { css } from "lit"

/**
 * What all elements look like: a page sets `--loopbox-…` anywhere above an element, and `--lb-…` is what styles read.
 *
 * Light and dark follow the page's `color-scheme` or the reader's setting; `theme="light"` or `"dark"` fixes one.
 */
export const tokens = css`
  :host {
    color-scheme: light dark;
    --lb-font: var(
      --loopbox-font,
      ui-sans-serif,
      system-ui,
      -apple-system,
      "Segoe UI",
      Roboto,
      "Helvetica Neue",
      "Noto Sans",
      Arial,
      sans-serif
    );
    --lb-font-mono: var(--loopbox-font-mono, ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace);
    --lb-background: var(--loopbox-background, light-dark(#ffffff, #16171b));
    --lb-surface: var(--loopbox-surface, light-dark(#f7f7f9, #1c1d22));
    --lb-raised: var(--loopbox-raised, light-dark(#ffffff, #24262c));
    --lb-hover: var(--loopbox-hover, light-dark(#f1f1f4, #25272e));
    --lb-selected: var(--loopbox-selected, light-dark(#eceefb, #2a2d42));
    --lb-text: var(--loopbox-text, light-dark(#1a1b20, #ececf1));
    --lb-muted: var(--loopbox-muted, light-dark(#5b5e6a, #a3a6b4));
    --lb-border: var(--loopbox-border, light-dark(#e4e4ea, #2e3038));
    --lb-border-strong: var(--loopbox-border-strong, light-dark(#8b8e9b, #6f7280));
    --lb-accent: var(--loopbox-accent, light-dark(#4553c8, #9aa5ff));
    --lb-accent-strong: var(--loopbox-accent-strong, light-dark(#3843a8, #b5bdff));
    --lb-on-accent: var(--loopbox-on-accent, light-dark(#ffffff, #14162b));
    --lb-accent-soft: var(--loopbox-accent-soft, light-dark(#eceefb, #2a2d42));
    --lb-danger: var(--loopbox-danger, light-dark(#b3261e, #ff9a8f));
    --lb-danger-soft: var(--loopbox-danger-soft, light-dark(#fdeeec, #3b2222));
    --lb-warning: var(--loopbox-warning, light-dark(#8a4b00, #f2b765));
    --lb-warning-soft: var(--loopbox-warning-soft, light-dark(#fdf3e2, #382a15));
    --lb-success: var(--loopbox-success, light-dark(#1b6e3c, #7fd7a1));
    --lb-success-soft: var(--loopbox-success-soft, light-dark(#e8f6ed, #193325));
    --lb-focus: var(--loopbox-focus, light-dark(#4553c8, #9aa5ff));
    --lb-radius: var(--loopbox-radius, 8px);
    --lb-radius-small: var(--loopbox-radius-small, 6px);
    --lb-shadow: var(--loopbox-shadow, 0 1px 2px light-dark(#0000000f, #0006), 0 8px 28px light-dark(#0000001f, #0009));
    box-sizing: border-box;
    color: var(--lb-text);
    font-family: var(--lb-font);
    font-size: var(--loopbox-font-size, 0.875rem);
    line-height: 1.45;
    -webkit-font-smoothing: antialiased;
    text-size-adjust: 100%;
  }

  :host([theme="light"]) {
    color-scheme: light;
  }

  :host([theme="dark"]) {
    color-scheme: dark;
  }

  :host([hidden]) {
    display: none;
  }

  *,
  *::before,
  *::after {
    box-sizing: inherit;
  }

  h1,
  h2,
  h3,
  p,
  ul,
  ol,
  dl,
  dd,
  figure {
    margin: 0;
    padding: 0;
  }

  ul,
  ol {
    list-style: none;
  }

  a {
    color: var(--lb-accent);
    text-underline-offset: 0.15em;
  }

  :focus-visible {
    outline: 2px solid var(--lb-focus);
    outline-offset: 2px;
  }

  .visually-hidden {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }

  @media (prefers-reduced-motion: reduce) {
    *,
    *::before,
    *::after {
      animation-duration: 0.01ms !important;
      animation-iteration-count: 1 !important;
      scroll-behavior: auto !important;
      /* However short, one would begin at the first change of any style, and give what was before to who reads it then. */
      transition: none !important;
    }
  }
`
