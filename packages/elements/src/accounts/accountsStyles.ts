import { css } from "lit"

/** The list of accounts. */
export const accountsStyles = css`
  :host {
    display: block;
    background: var(--lb-background);
  }

  .accounts {
    display: grid;
    gap: 1rem;
    padding: 1rem;
  }

  .accounts ul {
    border: 1px solid var(--lb-border);
    border-radius: var(--lb-radius);
  }

  .account {
    display: flex;
    flex-wrap: wrap;
    align-items: flex-start;
    gap: 0.75rem;
    padding: 0.875rem 1rem;
  }

  .account + .account {
    border-block-start: 1px solid var(--lb-border);
  }

  .about {
    display: grid;
    flex: 1 1 10rem;
    gap: 0.125rem;
    min-inline-size: 0;
  }

  .name {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.25rem 0.5rem;
    font-weight: 600;
  }

  .muted {
    color: var(--lb-muted);
  }

  .work {
    display: flex;
    align-items: center;
    gap: 0.25rem;
  }

  .problem {
    display: flex;
    gap: 0.5rem;
    margin-block-start: 0.375rem;
    padding: 0.5rem 0.75rem;
    border-radius: var(--lb-radius-small);
    background: var(--lb-warning-soft);
    /* Names of permissions are longer than a telephone is wide. */
    overflow-wrap: anywhere;
  }

  .problem .icon {
    margin-block-start: 0.125rem;
    color: var(--lb-warning);
  }

  .problem code {
    font-family: var(--lb-font-mono);
    font-size: 0.85em;
  }

  .group {
    display: grid;
    gap: 0.5rem;
  }

  .group h2 {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0.375rem;
    font-size: 0.9375rem;
    overflow-wrap: anywhere;
  }

  .group code,
  .returned code {
    font-family: var(--lb-font-mono);
    font-size: 0.9em;
  }

  .foot {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
  }

  .owner {
    padding: 0.375rem 0.5rem 0.625rem;
  }

  .returned {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    padding: 0.5rem 0.75rem;
    border-radius: var(--lb-radius-small);
  }

  .returned p {
    flex: 1;
    min-inline-size: 0;
    overflow-wrap: anywhere;
  }

  .returned.good {
    background: var(--lb-success-soft);
    color: var(--lb-success);
  }

  .returned.careful {
    background: var(--lb-warning-soft);
    color: var(--lb-warning);
  }

  .returned.bad {
    background: var(--lb-danger-soft);
    color: var(--lb-danger);
  }

  .menu-item {
    display: flex;
    align-items: center;
    gap: 0.5rem;
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
`
