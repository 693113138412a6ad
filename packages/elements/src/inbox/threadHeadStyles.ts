import { css } from "lit"

/** Above the open conversation: who it is with, and what can be done with it. */
export const threadHeadStyles = css`
  .thread-head {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    min-block-size: 3.75rem;
    padding: 0.5rem 0.75rem 0.5rem 1rem;
    border-block-end: 1px solid var(--lb-border);
  }

  .who {
    flex: 1;
    min-inline-size: 0;
  }

  .who h2 {
    overflow: hidden;
    font-size: 1rem;
    font-weight: 650;
    text-align: -webkit-match-parent;
    text-align: match-parent;
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  .who h2:focus {
    outline: none;
  }

  .who p {
    display: flex;
    align-items: center;
    gap: 0.375rem;
    overflow: hidden;
    color: var(--lb-muted);
    font-size: 0.8125rem;
    white-space: nowrap;
  }

  /* What is known of the conversation stays whole; what it is called by is shortened. */
  .who p > span:not(.badge, .status) {
    flex-shrink: 100;
    min-inline-size: 0;
    overflow: hidden;
    text-overflow: ellipsis;
  }

  .who p > .status {
    display: inline-block;
    flex: 0 1 auto;
    min-inline-size: 3rem;
    max-inline-size: 60%;
    overflow: hidden;
    text-overflow: ellipsis;
  }

  .who .kind {
    display: none;
  }

  .work {
    display: flex;
    flex: none;
    align-items: center;
    gap: 0.125rem;
  }

  .work > .button:last-child {
    margin-inline-start: 0.375rem;
  }

  @container thread (inline-size < 30rem) {
    .who p {
      flex-wrap: wrap;
      white-space: normal;
    }

    /* In one line beside its badge, which says the network; what is known of the conversation goes below. */
    .who p > span:not(.badge, .status) {
      flex: 1 1 0;
      min-inline-size: 75%;
      white-space: nowrap;
    }

    .who .source {
      display: none;
    }

    .who .kind {
      display: inline;
    }

    .work > .button:last-child {
      inline-size: 2rem;
      padding: 0;
    }

    .work > .button:last-child span {
      position: absolute;
      inline-size: 1px;
      overflow: hidden;
      clip-path: inset(50%);
    }

    .who p > .status {
      max-inline-size: 100%;
      white-space: nowrap;
    }

    .work > .mark-unread {
      display: none;
    }
  }

  @container inbox (inline-size < 35rem) {
    .thread-head {
      padding-inline: 0.375rem 0.5rem;
    }
  }
`
