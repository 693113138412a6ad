import { css } from "lit"

export const webhooksStyles = css`
  :host {
    display: block;
  }

  .all {
    display: grid;
    gap: 1.25rem;
  }

  .way-back {
    margin-inline-start: -0.875rem;
  }

  .head {
    display: flex;
    flex-wrap: wrap;
    align-items: start;
    justify-content: space-between;
    gap: 0.75rem;
  }

  h1 {
    font-size: 1.375rem;
    letter-spacing: -0.015em;
    overflow-wrap: anywhere;
  }

  h2 {
    font-size: 1rem;
  }

  .quiet-text {
    color: var(--lb-muted);
  }

  .rows {
    border: 1px solid var(--lb-border);
    border-radius: calc(var(--lb-radius) * 1.5);
    overflow: hidden;
  }

  .rows > li + li {
    border-block-start: 1px solid var(--lb-border);
  }

  .row {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.375rem 0.75rem;
    inline-size: 100%;
    padding: 0.75rem 1rem;
    border: 0;
    background: none;
    color: inherit;
    font: inherit;
    text-align: start;
    cursor: pointer;
  }

  .row:hover {
    background: var(--lb-hover);
  }

  .row:focus-visible {
    outline-offset: -2px;
  }

  .row .name {
    flex: 1 1 16rem;
    min-inline-size: 0;
    font-weight: 600;
    overflow-wrap: anywhere;
  }

  .row .note {
    color: var(--lb-muted);
    font-size: 0.8125rem;
  }

  .status {
    padding: 0.125rem 0.5rem;
    border-radius: 1rem;
    background: var(--lb-hover);
    color: var(--lb-muted);
    font-size: 0.8125rem;
    font-weight: 600;
  }

  .status.enabled,
  .status.delivered {
    background: var(--lb-success-soft);
    color: var(--lb-success);
  }

  .status.failing,
  .status.pending {
    background: var(--lb-warning-soft);
    color: var(--lb-warning);
  }

  .status.failed {
    background: var(--lb-danger-soft);
    color: var(--lb-danger);
  }

  .tools {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
  }

  .form {
    display: grid;
    gap: 0.875rem;
  }

  .check {
    display: flex;
    align-items: center;
    gap: 0.5rem;
  }

  pre {
    margin: 0;
    padding: 0.625rem 0.75rem;
    border: 1px solid var(--lb-border);
    border-radius: var(--lb-radius-small);
    background: var(--lb-surface);
    font-family: var(--lb-font-mono);
    font-size: 0.8125rem;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    max-block-size: 20rem;
    overflow-y: auto;
  }

  .detail {
    display: grid;
    gap: 0.75rem;
  }
`
