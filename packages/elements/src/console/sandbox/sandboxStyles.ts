import { css } from "lit"

export const sandboxStyles = css`
  :host {
    display: block;
  }

  .all {
    display: grid;
    align-content: start;
    gap: 1.25rem;
  }

  .head {
    display: flex;
    flex-wrap: wrap;
    align-items: end;
    justify-content: space-between;
    gap: 0.75rem;
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

  .columns {
    display: grid;
    grid-template-columns: minmax(0, 3fr) minmax(15rem, 2fr);
    gap: 1rem;
  }

  .box {
    display: grid;
    align-content: start;
    gap: 0.75rem;
    padding: 1rem;
    border: 1px solid var(--lb-border);
    border-radius: calc(var(--lb-radius) * 1.5);
  }

  .pair {
    display: grid;
    align-items: start;
    grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr));
    gap: 0.75rem;
  }

  .told {
    color: var(--lb-success);
  }

  .rows {
    border: 1px solid var(--lb-border);
    border-radius: calc(var(--lb-radius) * 1.5);
    overflow: hidden;
  }

  .rows > li {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.375rem 0.75rem;
    padding: 0.625rem 1rem;
  }

  .rows > li + li {
    border-block-start: 1px solid var(--lb-border);
  }

  .words {
    flex: 1 1 18rem;
    min-inline-size: 0;
    overflow-wrap: anywhere;
  }

  .is-gone .text {
    text-decoration: line-through;
    color: var(--lb-muted);
  }

  .tools {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem;
  }

  .set {
    display: grid;
    gap: 0.375rem;
  }

  .box .rows .words {
    flex: 1 1 10rem;
  }

  .token {
    padding: 0.0625rem 0.5rem;
    border-radius: 1rem;
    background: var(--lb-danger-soft);
    color: var(--lb-danger);
    font-size: 0.8125rem;
    font-weight: 600;
    white-space: nowrap;
  }

  .token.valid {
    background: var(--lb-success-soft);
    color: var(--lb-success);
  }

  .token.none {
    background: var(--lb-surface);
    color: var(--lb-muted);
  }

  /* Less than what the longest names of requests need, beside the navigation. */
  @media (max-width: 1100px) {
    .columns {
      grid-template-columns: minmax(0, 1fr);
    }
  }
`
