import { css } from "lit"

/** The three panes, and how many of them there is room for. */
export const layoutStyles = css`
  :host {
    display: block;
    block-size: 40rem;
    container: inbox / inline-size;
    background: var(--lb-background);
  }

  .inbox {
    position: relative;
    display: grid;
    grid-template-columns: clamp(16rem, 27cqi, 23rem) minmax(0, 1fr) clamp(15rem, 20cqi, 19rem);
    grid-template-rows: auto minmax(0, 1fr);
    block-size: 100%;
    overflow: hidden;
  }

  .inbox:not(.has-details),
  .inbox:not(.has-thread) {
    grid-template-columns: clamp(16rem, 27cqi, 23rem) minmax(0, 1fr);
  }

  .inbox:not(.has-details) .context-pane {
    display: none;
  }

  .banner {
    grid-column: 1 / -1;
    display: flex;
    align-items: center;
    justify-content: center;
    gap: 0.5rem;
    padding: 0.375rem 1rem;
    background: var(--lb-warning-soft);
    color: var(--lb-warning);
    font-weight: 550;
    text-align: center;
  }

  .banner p {
    overflow-wrap: anywhere;
  }

  .banner code {
    font-family: var(--lb-font-mono);
    font-size: 0.85em;
    font-weight: 400;
  }

  .banner .button {
    flex: none;
  }

  .banner.good {
    background: var(--lb-success-soft);
    color: var(--lb-success);
  }

  .banner.bad {
    background: var(--lb-danger-soft);
    color: var(--lb-danger);
  }

  .list-pane,
  .thread-pane,
  .context-pane {
    grid-row: 2;
    display: flex;
    flex-direction: column;
    min-inline-size: 0;
    min-block-size: 0;
  }

  .list-pane {
    border-inline-end: 1px solid var(--lb-border);
  }

  .context-pane {
    overflow: auto;
    border-inline-start: 1px solid var(--lb-border);
    background: var(--lb-surface);
  }

  .grow {
    flex: 1;
  }

  .center {
    display: grid;
    place-content: center;
  }

  .pad {
    padding: 0.75rem;
  }

  .muted {
    color: var(--lb-muted);
  }

  .back,
  .context-close {
    display: none;
  }

  .check {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    padding-block: 0.25rem;
  }

  .check input {
    inline-size: 1rem;
    block-size: 1rem;
    margin: 0;
    accent-color: var(--lb-accent);
  }

  .menu-item {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0 0.5rem;
    inline-size: 100%;
    min-block-size: 2rem;
    padding: 0.25rem 0.5rem;
    border: 0;
    border-radius: var(--lb-radius-small);
    background: none;
    color: var(--lb-text);
    font: inherit;
    text-align: start;
    cursor: pointer;
  }

  .menu-item:hover {
    background: var(--lb-hover);
  }

  .menu-item:focus-visible {
    outline-offset: -2px;
  }

  .menu-hint {
    flex-basis: 100%;
    overflow: hidden;
    color: var(--lb-muted);
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  .menu-text {
    padding: 0.5rem;
    color: var(--lb-muted);
  }

  .menu-form {
    display: flex;
    gap: 0.375rem;
    padding-block: 0.375rem;
  }

  .keys {
    display: grid;
    gap: 0.25rem;
    padding-block: 0.5rem;
  }

  .keys.is-off {
    opacity: 0.6;
  }

  .keys > div {
    display: grid;
    grid-template-columns: 8.5rem 1fr;
    align-items: center;
  }

  kbd {
    display: inline-block;
    min-inline-size: 1.6em;
    padding: 0.0625rem 0.375rem;
    border: 1px solid var(--lb-border);
    border-block-end-width: 2px;
    border-radius: 4px;
    background: var(--lb-surface);
    font-family: var(--lb-font);
    font-size: 0.8125rem;
    text-align: center;
  }

  blockquote {
    max-block-size: 10rem;
    margin: 0 0 0.75rem;
    padding-inline-start: 0.75rem;
    overflow: auto;
    border-inline-start: 3px solid var(--lb-border);
    color: var(--lb-muted);
  }

  @container inbox (inline-size < 56.25rem) {
    .inbox,
    .inbox:not(.has-details),
    .inbox:not(.has-thread) {
      grid-template-columns: clamp(14rem, 38cqi, 19rem) minmax(0, 1fr);
    }

    .context-pane {
      position: absolute;
      z-index: 10;
      inset-block: 0;
      inset-inline-end: 0;
      inline-size: min(20rem, 100%);
      box-shadow: var(--lb-shadow);
    }

    .context-close {
      display: flex;
      justify-content: flex-end;
      padding: 0.375rem 0.375rem 0;
    }
  }

  @container inbox (inline-size < 35rem) {
    .inbox,
    .inbox:not(.has-details),
    .inbox:not(.has-thread) {
      grid-template-columns: minmax(0, 1fr);
    }

    .inbox.has-thread .list-pane,
    .inbox:not(.has-thread) .thread-pane {
      display: none;
    }

    .list-pane {
      border: 0;
    }

    .back {
      display: block;
    }
  }
`
