import { css } from "lit"

export const mediaStyles = css`
  :host {
    display: block;
  }

  .media {
    display: grid;
    gap: 1.25rem;
  }

  h1 {
    font-size: 1.375rem;
    letter-spacing: -0.015em;
  }

  h2 {
    font-size: 1rem;
  }

  .lead {
    color: var(--lb-muted);
  }

  .top {
    display: grid;
    grid-template-columns: minmax(0, 2fr) minmax(14rem, 1fr);
    gap: 1rem;
  }

  .drop {
    display: grid;
    place-content: center;
    justify-items: center;
    gap: 0.75rem;
    min-block-size: 11rem;
    padding: 1rem;
    border: 1.5px dashed var(--lb-border-strong);
    border-radius: calc(var(--lb-radius) * 1.5);
    background: var(--lb-surface);
    text-align: center;
  }

  .drop.is-over {
    border-color: var(--lb-accent);
    background: var(--lb-accent-soft);
  }

  .box {
    display: grid;
    align-content: start;
    gap: 0.875rem;
    padding: 1rem;
    border: 1px solid var(--lb-border);
    border-radius: calc(var(--lb-radius) * 1.5);
  }

  .colour {
    display: flex;
    align-items: center;
    gap: 0.75rem;
  }

  .colour input {
    inline-size: 2.5rem;
    block-size: 2rem;
    padding: 0;
    border: 1px solid var(--lb-border-strong);
    border-radius: var(--lb-radius-small);
    background: none;
  }

  .hint {
    color: var(--lb-muted);
    font-size: 0.8125rem;
  }

  progress {
    inline-size: 100%;
    block-size: 0.5rem;
    accent-color: var(--lb-accent);
  }

  .jobs {
    display: grid;
    gap: 0.75rem;
  }

  .job {
    display: grid;
    gap: 0.75rem;
    padding: 0.875rem 1rem;
    border: 1px solid var(--lb-border);
    border-radius: calc(var(--lb-radius) * 1.5);
  }

  .job header {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.375rem 0.75rem;
  }

  .job h3 {
    font-size: 0.875rem;
    overflow-wrap: anywhere;
  }

  .job header .button {
    margin-inline-start: auto;
  }

  .status {
    padding: 0.125rem 0.5rem;
    border-radius: 1rem;
    background: var(--lb-accent-soft);
    color: var(--lb-accent);
    font-size: 0.8125rem;
    font-weight: 600;
  }

  .status.succeeded {
    background: var(--lb-success-soft);
    color: var(--lb-success);
  }

  .status.failed {
    background: var(--lb-danger-soft);
    color: var(--lb-danger);
  }

  .pair {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(12rem, 1fr));
    gap: 1rem;
  }

  figure {
    display: grid;
    align-content: start;
    gap: 0.375rem;
    min-inline-size: 0;
  }

  figure img,
  figure video {
    inline-size: 100%;
    max-block-size: 18rem;
    border-radius: var(--lb-radius-small);
    background: var(--lb-surface);
    object-fit: contain;
  }

  figcaption {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0.25rem 0.75rem;
    color: var(--lb-muted);
    font-size: 0.8125rem;
  }

  @media (max-width: 820px) {
    .top {
      grid-template-columns: minmax(0, 1fr);
    }
  }
`
