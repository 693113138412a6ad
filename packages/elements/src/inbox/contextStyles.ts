import { css } from "lit"

/** What an open conversation hangs on. */
export const contextStyles = css`
  .card {
    display: grid;
    gap: 0.5rem;
    padding: 1rem;
    border-block-end: 1px solid var(--lb-border);
  }

  .card:last-child {
    border: 0;
  }

  .card h3 {
    color: var(--lb-muted);
    font-size: 0.8125rem;
    font-weight: 600;
  }

  .post {
    display: grid;
    gap: 0.5rem;
  }

  .post img {
    inline-size: 100%;
    max-block-size: 14rem;
    border-radius: var(--lb-radius);
    object-fit: cover;
  }

  .caption {
    display: -webkit-box;
    overflow: hidden;
    overflow-wrap: anywhere;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 5;
  }

  .people li,
  .account {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    padding-block: 0.125rem;
  }

  .people span[dir],
  .account > span:not(.badge) {
    min-inline-size: 0;
    overflow-wrap: anywhere;
  }

  .labels {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem;
  }

  .drop {
    display: inline-grid;
    place-items: center;
    inline-size: 1.5rem;
    block-size: 1.5rem;
    margin-inline-end: -0.3125rem;
    padding: 0;
    border: 0;
    border-radius: 50%;
    background: none;
    color: inherit;
    cursor: pointer;
  }

  .notes {
    display: grid;
    gap: 0.5rem;
  }

  .note {
    padding: 0.5rem 0.25rem 0.125rem 0.625rem;
    border-radius: var(--lb-radius);
    background: var(--lb-warning-soft);
    overflow-wrap: anywhere;
  }

  .note .plain-text {
    white-space: pre-wrap;
  }

  .note-foot {
    display: flex;
    align-items: center;
    justify-content: space-between;
    font-size: 0.8125rem;
  }
`
