import { css } from "lit"

/** Where an answer or a note is written. */
export const composerStyles = css`
  .composer {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.375rem;
    padding: 0.5rem 1rem 0.875rem;
  }

  .modes {
    display: flex;
    gap: 0.125rem;
  }

  .mode {
    min-block-size: 1.75rem;
    padding: 0.125rem 0.5rem;
    border: 0;
    border-radius: var(--lb-radius-small);
    background: none;
    color: var(--lb-muted);
    font: inherit;
    font-size: 0.8125rem;
    font-weight: 600;
    cursor: pointer;
  }

  .mode[aria-pressed="true"] {
    color: var(--lb-text);
    background: var(--lb-hover);
  }

  .target,
  .window {
    display: flex;
    align-items: center;
    gap: 0.375rem;
    color: var(--lb-muted);
    font-size: 0.8125rem;
    min-inline-size: 0;
  }

  .target span {
    flex: 1;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  .target .button {
    min-block-size: 1.5rem;
    inline-size: 1.5rem;
  }

  .sheet {
    border: 1px solid var(--lb-border-strong);
    border-radius: calc(var(--lb-radius) * 1.25);
    background: var(--lb-raised);
  }

  .sheet:focus-within {
    border-color: var(--lb-focus);
    box-shadow: 0 0 0 1px var(--lb-focus);
  }

  .sheet.is-note {
    background: var(--lb-warning-soft);
  }

  .sheet textarea {
    display: block;
    inline-size: 100%;
    min-block-size: 3.25rem;
    max-block-size: 14rem;
    padding: 0.625rem 0.75rem 0.25rem;
    border: 0;
    outline: 0;
    background: none;
    color: inherit;
    font: inherit;
    resize: none;
    field-sizing: content;
  }

  .sheet textarea::placeholder {
    color: var(--lb-muted);
    opacity: 1;
  }

  .sheet-foot {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    padding: 0.25rem 0.375rem 0.375rem;
  }

  .sheet-foot .window {
    overflow: hidden;
    white-space: nowrap;
  }

  .sheet-foot .window span {
    overflow: hidden;
    text-overflow: ellipsis;
  }

  /* Where it would be cut it has a line of its own. */
  @container thread (inline-size < 30rem) {
    .sheet-foot {
      flex-wrap: wrap;
    }

    .sheet-foot .window {
      flex: 1 1 100%;
      order: -1;
      padding-inline: 0.375rem;
      white-space: normal;
    }
  }

  .counter {
    color: var(--lb-muted);
    font-size: 0.8125rem;
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }

  .counter.is-over {
    color: var(--lb-danger);
    font-weight: 650;
  }

  .obstacle {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem 0.625rem;
    padding: 0.625rem 0.75rem;
    border-radius: var(--lb-radius);
    background: var(--lb-warning-soft);
    color: var(--lb-warning);
  }

  .obstacle p {
    flex: 1 1 14rem;
  }

  .obstacle .button {
    text-decoration: none;
  }
`
