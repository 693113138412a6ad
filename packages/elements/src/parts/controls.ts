import { css } from "lit"

/** Looks of the native controls that parts are made of; an element puts it after the tokens. */
export const controls = css`
  .button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 0.4rem;
    min-block-size: 2rem;
    padding: 0.25rem 0.75rem;
    border: 1px solid var(--lb-border);
    border-radius: var(--lb-radius-small);
    background: var(--lb-raised);
    color: var(--lb-text);
    font: inherit;
    font-weight: 550;
    cursor: pointer;
    transition: background 0.12s;
  }

  .button:hover:not(:disabled) {
    background: var(--lb-hover);
  }

  .button:disabled,
  .button[aria-disabled="true"] {
    cursor: default;
    opacity: 0.55;
  }

  .button.primary {
    border-color: transparent;
    background: var(--lb-accent);
    color: var(--lb-on-accent);
  }

  .button.primary:hover:not(:disabled) {
    background: var(--lb-accent-strong);
  }

  /* A part of a long text: laid out once it comes near, and about so high until then. */
  .text-part {
    display: block;
    content-visibility: auto;
    contain-intrinsic-block-size: auto 40rem;
  }

  .button.quiet {
    border-color: transparent;
    background: none;
    color: var(--lb-muted);
  }

  .button.quiet:hover:not(:disabled) {
    background: var(--lb-hover);
    color: var(--lb-text);
  }

  .button.danger {
    color: var(--lb-danger);
  }

  .button.icon-only {
    inline-size: 2rem;
    padding: 0;
  }

  .button[aria-pressed="true"] {
    background: var(--lb-accent-soft);
    color: var(--lb-accent);
  }

  .icon {
    flex: none;
  }

  .icon-back:dir(rtl),
  .icon-forward:dir(rtl),
  .icon-send:dir(rtl),
  .icon-reply:dir(rtl) {
    scale: -1 1;
  }

  .spinner {
    inline-size: 1em;
    block-size: 1em;
    border: 2px solid currentcolor;
    border-block-start-color: transparent;
    border-radius: 50%;
    animation: spin 0.8s linear infinite;
  }

  @keyframes spin {
    to {
      rotate: 1turn;
    }
  }

  .field {
    display: grid;
    gap: 0.25rem;
    min-inline-size: 0;
  }

  .field label {
    font-weight: 550;
  }

  .input {
    inline-size: 100%;
    min-block-size: 2rem;
    padding: 0.3125rem 0.625rem;
    border: 1px solid var(--lb-border-strong);
    border-radius: var(--lb-radius-small);
    background: var(--lb-background);
    color: inherit;
    font: inherit;
  }

  .input::placeholder {
    color: var(--lb-muted);
    opacity: 1;
  }

  .input:focus-visible {
    outline-offset: -1px;
  }

  .input[aria-invalid="true"] {
    border-color: var(--lb-danger);
  }

  textarea.input {
    resize: vertical;
  }

  .hint {
    color: var(--lb-muted);
    font-size: 0.925em;
  }

  .fault {
    color: var(--lb-danger);
    font-size: 0.925em;
  }

  .tabs {
    display: flex;
    gap: 0.125rem;
    overflow-x: auto;
    scrollbar-width: none;
  }

  .tab {
    display: inline-flex;
    align-items: center;
    gap: 0.375rem;
    min-block-size: 2rem;
    padding: 0.25rem 0.5rem;
    border: 0;
    border-radius: var(--lb-radius-small);
    background: none;
    color: var(--lb-muted);
    font: inherit;
    font-weight: 550;
    white-space: nowrap;
    cursor: pointer;
  }

  .tab:hover {
    color: var(--lb-text);
  }

  .tab:focus-visible {
    outline-offset: -2px;
  }

  .tab[aria-selected="true"] {
    background: var(--lb-accent-soft);
    color: var(--lb-accent);
  }

  .count {
    font-variant-numeric: tabular-nums;
    font-size: 0.85em;
  }

  /* A name that is longer than its field says that there is more. */
  select.input {
    text-overflow: ellipsis;
  }

  .error-line {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.25rem 0.75rem;
    padding: 0.625rem 0.75rem;
    border-radius: var(--lb-radius-small);
    background: var(--lb-danger-soft);
    color: var(--lb-danger);
  }

  .error-line p {
    flex: 1 1 9rem;
    overflow-wrap: anywhere;
  }

  .error-line code {
    font-family: var(--lb-font-mono);
    font-size: 0.85em;
  }

  .empty-state,
  .loading-state {
    display: grid;
    justify-items: center;
    align-content: center;
    gap: 0.5rem;
    padding: 2.5rem 1.5rem;
    color: var(--lb-muted);
    text-align: center;
    text-wrap: balance;
  }

  .empty-state code {
    color: var(--lb-text);
    font-family: var(--lb-font-mono);
    font-size: 0.9em;
  }

  .late {
    visibility: hidden;
    animation: late 1ms 5s forwards;
  }

  @keyframes late {
    to {
      visibility: visible;
    }
  }

  .empty-state .heading {
    color: var(--lb-text);
    font-size: 1rem;
    font-weight: 600;
  }

  .empty-state p {
    max-inline-size: 26rem;
  }

  .badge {
    display: inline-grid;
    flex: none;
    place-items: center;
    inline-size: var(--badge-size, 1rem);
    block-size: var(--badge-size, 1rem);
    border-radius: 50%;
    background: var(--lb-muted);
    color: #fff;
    font-size: calc(var(--badge-size, 1rem) * 0.6);
    font-weight: 700;
    line-height: 1;
  }

  .badge-instagram {
    background: #c13584;
  }

  .badge-facebook {
    background: #0f5fc4;
  }

  .badge-threads,
  .badge-x {
    background: light-dark(#111, #50535e);
  }

  .status {
    display: inline-flex;
    align-items: center;
    gap: 0.25rem;
    padding: 0.0625rem 0.4375rem;
    border-radius: 99px;
    background: var(--lb-hover);
    color: var(--lb-muted);
    font-size: 0.8125rem;
    font-weight: 550;
    white-space: nowrap;
  }

  .status.good {
    background: var(--lb-success-soft);
    color: var(--lb-success);
  }

  .status.careful {
    background: var(--lb-warning-soft);
    color: var(--lb-warning);
  }

  .status.bad {
    background: var(--lb-danger-soft);
    color: var(--lb-danger);
  }
`
