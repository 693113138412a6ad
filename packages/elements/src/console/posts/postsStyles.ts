import { css } from "lit"

export const postsStyles = css`
  :host {
    display: block;
  }

  .all,
  .form,
  .post {
    display: grid;
    gap: 1rem;
  }

  h1 {
    font-size: 1.375rem;
    letter-spacing: -0.015em;
  }

  h2 {
    font-size: 1rem;
  }

  .quiet-text {
    color: var(--lb-muted);
    font-size: 0.8125rem;
  }

  .form,
  .post {
    padding: 1rem;
    border: 1px solid var(--lb-border);
    border-radius: calc(var(--lb-radius) * 1.5);
  }

  .post {
    gap: 0.5rem;
  }

  .post .text {
    overflow-wrap: anywhere;
    white-space: pre-wrap;
  }

  fieldset {
    display: grid;
    gap: 0.375rem;
    margin: 0;
    padding: 0;
    border: 0;
    min-inline-size: 0;
  }

  legend {
    padding: 0;
    margin-block-end: 0.375rem;
    font-weight: 550;
  }

  .check {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem;
  }

  .pair {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(12rem, 1fr));
    align-items: start;
    gap: 0.75rem;
  }

  .line {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.375rem 0.75rem;
  }

  .good {
    color: var(--lb-success);
  }

  .warning {
    color: var(--lb-warning);
  }

  .status {
    padding: 0.125rem 0.5rem;
    border-radius: 1rem;
    background: var(--lb-accent-soft);
    color: var(--lb-accent);
    font-size: 0.8125rem;
    font-weight: 600;
  }

  .status.published {
    background: var(--lb-success-soft);
    color: var(--lb-success);
  }

  .status.failed {
    background: var(--lb-danger-soft);
    color: var(--lb-danger);
  }

  .status.partial {
    background: var(--lb-warning-soft);
    color: var(--lb-warning);
  }

  .posts {
    display: grid;
    gap: 0.75rem;
  }

  .accounts,
  .account,
  .media,
  .move,
  .target {
    display: grid;
    gap: 0.5rem;
    min-inline-size: 0;
  }

  .accounts.many {
    max-block-size: 18rem;
    overflow-y: auto;
    padding: 0.125rem;
  }

  .count,
  .own > summary,
  .own > div,
  .account > .fault,
  .account > .warning {
    margin-inline-start: 1.5rem;
  }

  /* The browser's own box around what a details element holds does not inherit it. */
  .own > div {
    box-sizing: border-box;
  }

  .own summary {
    color: var(--lb-muted);
    font-size: 0.875rem;
    cursor: pointer;
  }

  .own .field {
    margin-block-start: 0.5rem;
  }

  .own-text {
    overflow-wrap: anywhere;
    white-space: pre-line;
  }

  .files li {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 0.5rem;
    overflow-wrap: anywhere;
  }

  .upload {
    position: relative;
    justify-self: start;
  }

  .upload:focus-within {
    outline: 2px solid var(--lb-accent);
    outline-offset: 2px;
  }

  progress {
    inline-size: 100%;
    accent-color: var(--lb-accent);
  }

  .post > ul {
    display: grid;
    gap: 0.5rem;
  }

  .move .field {
    max-inline-size: 20rem;
  }

  .answers a {
    display: flex;
    align-items: baseline;
    gap: 0.5rem;
    padding: 0.375rem 0.5rem;
    border-radius: var(--lb-radius-small);
    background: var(--lb-surface);
    color: inherit;
    text-decoration: none;
  }

  .answers a:hover {
    background: var(--lb-hover);
  }

  .answer {
    flex: 1;
    min-inline-size: 0;
    overflow-wrap: anywhere;
  }
`
