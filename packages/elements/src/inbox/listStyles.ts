import { css } from "lit"

/** The list of conversations. */
export const listStyles = css`
  .list-tools {
    display: grid;
    gap: 0.5rem;
    padding: 0.75rem 0.75rem 0.5rem;
    border-block-end: 1px solid var(--lb-border);
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

  .search .field {
    flex: 1;
  }

  .search .input {
    padding-inline-start: 2.125rem;
    border-color: transparent;
    background: var(--lb-hover);
  }

  .search .input:hover {
    border-color: var(--lb-border);
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

  .scroller ul {
    position: relative;
  }

  .scroller li {
    position: absolute;
    inset-block-start: 0;
    inset-inline: 0;
    block-size: 4.875rem;
    contain: strict;
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

  .picture {
    position: relative;
    flex: none;
    margin-block-start: 0.125rem;
  }

  .picture .badge {
    --badge-size: 1rem;
    position: absolute;
    inset-block-end: -2px;
    inset-inline-end: -4px;
    box-shadow: 0 0 0 2px var(--lb-background);
  }

  .row.is-open .picture .badge {
    box-shadow: 0 0 0 2px var(--lb-selected);
  }

  .avatar {
    position: relative;
    display: inline-grid;
    flex: none;
    place-items: center;
    inline-size: 2.25rem;
    block-size: 2.25rem;
    overflow: hidden;
    border-radius: 50%;
    font-size: 0.8125rem;
    font-weight: 650;
    user-select: none;
  }

  .avatar.small {
    inline-size: 1.75rem;
    block-size: 1.75rem;
    font-size: 0.6875rem;
  }

  .avatar img {
    position: absolute;
    inset: 0;
    inline-size: 100%;
    block-size: 100%;
    object-fit: cover;
  }

  .avatar img[hidden] {
    display: none;
  }

  .tint-0 {
    background: light-dark(#e3e7fd, #2e3560);
    color: light-dark(#333f9e, #c5ccff);
  }

  .tint-1 {
    background: light-dark(#fbe3ec, #552a3d);
    color: light-dark(#94265a, #ffc4da);
  }

  .tint-2 {
    background: light-dark(#ddf2e6, #1f4431);
    color: light-dark(#17613a, #aee8c6);
  }

  .tint-3 {
    background: light-dark(#fdeacf, #4c3715);
    color: light-dark(#7c4700, #ffd9a1);
  }

  .tint-4 {
    background: light-dark(#d9f0f4, #16434c);
    color: light-dark(#0c5a68, #a6e6f2);
  }

  .tint-5 {
    background: light-dark(#efe3fa, #43305a);
    color: light-dark(#643097, #dec7ff);
  }

  .lines {
    display: grid;
    flex: 1;
    gap: 0.0625rem;
    min-inline-size: 0;
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
    overflow: hidden;
    color: var(--lb-muted);
    font-size: 0.8125rem;
    text-overflow: ellipsis;
  }

  .facts .status {
    flex: none;
    max-inline-size: 9rem;
    overflow: hidden;
    font-size: 0.75rem;
    line-height: 1.3;
  }

  .list-end {
    padding: 1rem;
    color: var(--lb-muted);
    text-align: center;
  }
`
