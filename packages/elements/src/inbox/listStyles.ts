import { css } from "lit"

/** The list of conversations. */
export const listStyles = css`
  .list-tools {
    display: grid;
    gap: 0.5rem;
    padding: 0.75rem 0.75rem 0.5rem;
    border-block-end: 1px solid var(--lb-border);
  }

  /* Where one line has no room for them, none is hidden. */
  .list-tools .tabs {
    flex-wrap: wrap;
  }

  .list-tools .tab {
    padding-inline: 0.4375rem;
    font-size: 0.8125rem;
  }

  .search {
    position: relative;
    display: flex;
    align-items: center;
    gap: 0.25rem;
  }

  .search > .icon {
    position: absolute;
    inset-inline-start: 0.625rem;
    color: var(--lb-muted);
    pointer-events: none;
  }

  .search > .field {
    flex: 1;
  }

  .search > .field .input {
    padding-inline-start: 2.125rem;
    border-color: transparent;
    background: var(--lb-hover);
  }

  .search > .field .input:hover {
    border-color: var(--lb-border);
  }

  /* There are no keys where fingers are all. */
  @media (hover: none) and (pointer: coarse) {
    .keys-button {
      display: none;
    }
  }

  .has-filters {
    border-radius: var(--lb-radius-small);
    background: var(--lb-accent-soft);
  }

  .filter-fields {
    display: grid;
    gap: 0.625rem;
    padding: 0.5rem;
  }

  .scroller {
    position: relative;
    flex: 1;
    overflow: auto;
    overscroll-behavior: contain;
    overflow-anchor: none;
  }

  .extent {
    position: relative;
    contain: strict;
  }

  .extent ul {
    position: absolute;
    inset-inline: 0;
  }

  .extent li {
    block-size: 4.875rem;
    contain: strict;
  }

  .extent .outside {
    position: absolute;
    inset-inline: 0;
  }

  .row {
    display: flex;
    align-items: flex-start;
    gap: 0.75rem;
    inline-size: 100%;
    block-size: 100%;
    padding: 0.5625rem 0.75rem;
    border: 0;
    border-block-end: 1px solid var(--lb-border);
    background: none;
    color: inherit;
    font: inherit;
    text-align: start;
    cursor: pointer;
  }

  .row:hover {
    background: var(--lb-hover);
  }

  .row.is-open {
    background: var(--lb-selected);
    box-shadow: inset 3px 0 var(--lb-accent);
  }

  .row.is-open:dir(rtl) {
    box-shadow: inset -3px 0 var(--lb-accent);
  }

  .row:focus-visible {
    outline-offset: -2px;
  }

  .row.is-open .picture .badge {
    box-shadow: 0 0 0 2px var(--lb-selected);
  }

  /* Blocks, and nothing whose width its content decides: what is scrolled through is laid out many times a second. */
  .lines {
    flex: 1;
    min-inline-size: 0;
  }

  .line + .line {
    margin-block-start: 0.0625rem;
  }

  .line {
    display: flex;
    align-items: baseline;
    gap: 0.5rem;
    min-inline-size: 0;
  }

  .name,
  .preview {
    flex: 1;
    min-inline-size: 0;
    overflow: hidden;
    /* At the page's side, but cut at the end of their own letters. */
    text-align: -webkit-match-parent;
    text-align: match-parent;
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  .name {
    font-weight: 550;
  }

  .is-unread .name {
    font-weight: 700;
  }

  .preview {
    color: var(--lb-muted);
  }

  .is-unread .preview {
    color: var(--lb-text);
  }

  .passing {
    display: block;
    block-size: 0.75rem;
    margin-block: 0.25rem;
    border-radius: 0.375rem;
    background: var(--lb-hover);
  }

  .passing:first-child {
    inline-size: 40%;
  }

  .picture.passing {
    flex: none;
    inline-size: 2.25rem;
    block-size: 2.25rem;
    margin: 0;
    border-radius: 50%;
  }

  .time {
    flex: none;
    color: var(--lb-muted);
    font-size: 0.8125rem;
    font-variant-numeric: tabular-nums;
  }

  .unread-count {
    flex: none;
    min-inline-size: 1.25rem;
    padding-inline: 0.3125rem;
    border-radius: 99px;
    background: var(--lb-accent);
    color: var(--lb-on-accent);
    font-size: 0.75rem;
    font-weight: 700;
    line-height: 1.25rem;
    text-align: center;
  }

  .facts {
    align-items: center;
    gap: 0.3125rem;
    overflow: hidden;
    white-space: nowrap;
  }

  .fact {
    flex-shrink: 100;
    min-inline-size: 3.5rem;
    overflow: hidden;
    color: var(--lb-muted);
    font-size: 0.8125rem;
    text-overflow: ellipsis;
  }

  .facts .status {
    flex: 0 1 auto;
    min-inline-size: 2.25rem;
    max-inline-size: 9rem;
    overflow: hidden;
    font-size: 0.75rem;
    line-height: 1.3;
  }

  .facts .status > span {
    overflow: hidden;
    text-overflow: ellipsis;
  }

  .list-end {
    padding: 1rem;
    color: var(--lb-muted);
    text-align: center;
  }
`
