import { css } from "lit"

export const shellStyles = css`
  /* The page has its margins already. */
  loopbox-accounts::part(accounts) {
    padding: 0;
  }

  :host {
    block-size: 100%;
    background: var(--lb-background);
  }

  .frame {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    grid-template-rows: minmax(0, 1fr);
    block-size: 100%;
  }

  .skip {
    position: absolute;
    border: 0;
    color: var(--lb-text);
    font: inherit;
    inset-block-start: -4rem;
    inset-inline-start: 0.5rem;
    z-index: 40;
    padding: 0.5rem 0.75rem;
    border-radius: var(--lb-radius-small);
    background: var(--lb-raised);
  }

  .skip:focus {
    box-shadow: var(--lb-shadow);
    inset-block-start: 0.5rem;
  }

  .side {
    display: flex;
    flex-direction: column;
    gap: 0.25rem;
    inline-size: 13.5rem;
    padding: 0.875rem 0.625rem;
    border-inline-end: 1px solid var(--lb-border);
    background: var(--lb-surface);
    overflow-y: auto;
  }

  .mark {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    padding: 0.125rem 0.5rem 0.75rem;
    font-weight: 700;
    font-size: 1rem;
    letter-spacing: -0.01em;
  }

  .mark svg {
    color: var(--lb-accent);
  }

  nav ul {
    display: grid;
    gap: 0.125rem;
  }

  nav a {
    display: flex;
    align-items: center;
    gap: 0.625rem;
    min-block-size: 2.125rem;
    padding: 0.25rem 0.625rem;
    border-radius: var(--lb-radius-small);
    color: var(--lb-muted);
    font-weight: 550;
    text-decoration: none;
  }

  nav a:hover {
    background: var(--lb-hover);
    color: var(--lb-text);
  }

  nav a[aria-current="page"] {
    background: var(--lb-accent-soft);
    color: var(--lb-accent);
  }

  .foot {
    display: grid;
    gap: 0.5rem;
    margin-block-start: auto;
    /* Pictures of buttons in one line with those of the pages above. */
    margin-inline-start: -0.1875rem;
    padding-block-start: 0.75rem;
  }

  .foot > .button {
    justify-content: start;
  }

  .version {
    padding-inline: 0.8125rem;
    color: var(--lb-muted);
    font-size: 0.8125rem;
  }

  main {
    display: flex;
    flex-direction: column;
    min-inline-size: 0;
    min-block-size: 0;
  }

  .notice {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    padding: 0.5rem 1rem;
    background: var(--lb-warning-soft);
    color: var(--lb-warning);
  }

  .page {
    flex: 1;
    min-block-size: 0;
    overflow: auto;
    padding: 1.25rem clamp(1rem, 3vw, 2rem) 3rem;
  }

  .page > * {
    max-inline-size: 72rem;
    margin-inline: auto;
  }

  .page-head {
    margin-block-end: 1.25rem;
  }

  .page-head h1 {
    font-size: 1.375rem;
    letter-spacing: -0.015em;
  }

  .page-head p {
    color: var(--lb-muted);
  }

  .page.wide {
    overflow: hidden;
    padding: 0;
  }

  /* Not the heading that only is read aloud: as high as the page, it would make the document scroll. */
  .page.wide > :not(.visually-hidden) {
    block-size: 100%;
    max-inline-size: none;
  }

  .gate {
    display: grid;
    block-size: 100%;
    place-content: center;
    padding: 1rem;
    overflow: auto;
  }

  .card {
    display: grid;
    gap: 1rem;
    inline-size: min(26rem, calc(100vw - 2rem));
    padding: 1.5rem;
    border: 1px solid var(--lb-border);
    border-radius: calc(var(--lb-radius) * 1.5);
    background: var(--lb-raised);
    box-shadow: var(--lb-shadow);
  }

  .card h1 {
    font-size: 1.25rem;
    letter-spacing: -0.01em;
  }

  .card .mark {
    padding: 0;
  }

  .sign-in {
    display: grid;
    gap: 0.75rem;
  }

  code.command,
  pre {
    display: block;
    padding: 0.625rem 0.75rem;
    border: 1px solid var(--lb-border);
    border-radius: var(--lb-radius-small);
    background: var(--lb-surface);
    font-family: var(--lb-font-mono);
    font-size: 0.8125rem;
    overflow-x: auto;
  }

  .sent {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.375rem;
    margin-block-start: 0.875rem;
  }

  .sent-head {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 0.5rem;
  }

  .sent-head > span {
    overflow-wrap: anywhere;
  }

  .sent pre {
    margin: 0;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }

  @media (max-width: 820px) {
    .frame {
      grid-template-columns: minmax(0, 1fr);
      grid-template-rows: auto minmax(0, 1fr);
    }

    .side {
      flex-flow: row wrap;
      align-items: center;
      gap: 0.125rem 0.5rem;
      inline-size: auto;
      padding: 0.25rem 0.5rem;
      border-inline-end: 0;
      border-block-end: 1px solid var(--lb-border);
      overflow: visible;
    }

    .side .mark {
      padding: 0 0.375rem;
    }

    nav {
      order: 1;
      flex: 1 0 100%;
      min-inline-size: 0;
      overflow-x: auto;
      scrollbar-width: none;
    }

    nav ul {
      display: flex;
      gap: 0;
    }

    nav a {
      gap: 0.375rem;
      white-space: nowrap;
    }

    .foot {
      display: flex;
      align-items: center;
      gap: 0.25rem;
      margin-block: 0;
      margin-inline-start: auto;
      padding: 0;
    }

    .version,
    .foot > .field {
      display: none;
    }
  }

  /* By telephone all pages are seen at once, each a picture above its name. */
  @media (max-width: 640px) {
    .side {
      padding-inline: 0.25rem;
    }

    nav ul {
      justify-content: space-between;
    }

    nav a {
      flex-direction: column;
      gap: 0.0625rem;
      min-inline-size: 2.5rem;
      min-block-size: 2.75rem;
      padding: 0.25rem 0.03125rem;
      font-size: 0.625rem;
    }

    .side .mark span {
      display: none;
    }
  }
`
