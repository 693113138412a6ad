import { css } from "lit"

/** The open conversation: its messages. */
export const threadStyles = css`
  .thread-pane {
    position: relative;
    container: thread / inline-size;
  }

  .messages {
    flex: 1;
    overflow: auto;
    overscroll-behavior: contain;
    padding: 0.75rem 1rem 1rem;
  }

  .messages:focus-visible {
    outline-offset: -2px;
  }

  .earlier {
    display: flex;
    justify-content: center;
    padding-block-end: 0.5rem;
  }

  .day {
    display: flex;
    align-items: center;
    gap: 0.75rem;
    margin-block: 1rem 0.5rem;
    color: var(--lb-muted);
    font-size: 0.8125rem;
    font-weight: 550;
  }

  .day span {
    display: inline-block;
  }

  .day span::first-letter {
    text-transform: uppercase;
  }

  .day::before,
  .day::after {
    content: "";
    flex: 1;
    block-size: 1px;
    background: var(--lb-border);
  }

  .message {
    display: flex;
    align-items: flex-start;
    gap: 0.5rem;
    padding-block-start: 0.125rem;
  }

  .message.is-first {
    padding-block-start: 0.625rem;
  }

  .message.is-own {
    flex-direction: row-reverse;
  }

  .gap {
    flex: none;
    inline-size: 1.75rem;
  }

  .content {
    display: grid;
    grid-template-columns: minmax(0, auto);
    justify-items: start;
    min-inline-size: 0;
    max-inline-size: min(36rem, 80%);
  }

  .is-own .content {
    justify-items: end;
  }

  .author {
    padding-inline-start: 0.125rem;
    font-size: 0.8125rem;
    font-weight: 600;
    overflow-wrap: anywhere;
  }

  .bubble {
    max-inline-size: 100%;
    padding: 0.4375rem 0.75rem;
    border-radius: 14px;
    background: var(--lb-hover);
    overflow-wrap: anywhere;
  }

  .is-own .bubble {
    background: var(--lb-accent-soft);
  }

  .words {
    white-space: pre-wrap;
  }

  .plain-text {
    unicode-bidi: isolate;
  }

  .is-hidden .bubble {
    opacity: 0.75;
    outline: 1px dashed var(--lb-border-strong);
  }

  .about {
    display: flex;
    align-items: center;
    gap: 0.25rem;
    padding: 0.0625rem 0.25rem 0.125rem;
    color: var(--lb-muted);
    font-size: 0.75rem;
  }

  .actions {
    display: flex;
    flex: none;
    align-self: center;
    opacity: 0;
    transition: opacity 0.1s;
  }

  .message:hover .actions,
  .message:focus-within .actions {
    opacity: 1;
  }

  .actions .button {
    min-block-size: 1.75rem;
    inline-size: 1.75rem;
  }

  .actions .icon {
    inline-size: 16px;
    block-size: 16px;
  }

  @media (hover: none) {
    .actions {
      opacity: 1;
    }
  }

  .attachment {
    margin-block: 0.25rem;
  }

  .attachment img,
  .attachment video {
    display: block;
    max-inline-size: 100%;
    max-block-size: 18rem;
    border-radius: 8px;
  }

  .attachment.none,
  .attachment.link {
    display: inline-flex;
    align-items: center;
    gap: 0.375rem;
  }

  .is-lost {
    display: none;
  }

  .answer .bubble {
    background: none;
    box-shadow: inset 0 0 0 1px var(--lb-border-strong);
  }

  .answer.is-failed .bubble {
    box-shadow: inset 0 0 0 1px var(--lb-danger);
  }

  .answer .about {
    max-inline-size: 28rem;
    align-items: flex-start;
    font-size: 0.8125rem;
  }

  .answer .about .icon,
  .answer .about .spinner {
    flex: none;
    margin-block-start: 0.125rem;
  }

  .answer.is-failed .about {
    color: var(--lb-danger);
    font-weight: 600;
  }

  .answer.is-checking .about,
  .answer.is-unclear .about {
    color: var(--lb-warning);
  }

  .reason {
    max-inline-size: 28rem;
    padding-inline: 0.25rem;
    font-size: 0.8125rem;
    overflow-wrap: anywhere;
  }

  .reason code {
    color: var(--lb-muted);
    font-family: var(--lb-font-mono);
    font-size: 0.92em;
  }

  .remedies {
    display: flex;
    flex-wrap: wrap;
    justify-content: flex-end;
    gap: 0.375rem;
    padding-block: 0.375rem;
  }

  .below {
    position: relative;
    display: grid;
    block-size: 0;
    justify-content: center;
  }

  .below .button {
    position: absolute;
    inset-block-end: 0.5rem;
    inset-inline-start: 50%;
    translate: -50% 0;
    border-radius: 99px;
    box-shadow: var(--lb-shadow);
    white-space: nowrap;
  }

  @container thread (inline-size < 30rem) {
    .content {
      max-inline-size: calc(100% - 2.5rem);
    }

    .message {
      flex-wrap: wrap;
    }

    .actions {
      flex-basis: 100%;
      padding-inline-start: 2rem;
    }

    .is-own .actions {
      justify-content: flex-end;
    }
  }

  /* Under a pointer they lie beside the time, at the end of the line that a short message leaves free: no room is kept for them. */
  @media (hover: hover) {
    @container thread (inline-size < 30rem) {
      .message {
        position: relative;
      }

      .actions {
        position: absolute;
        inset-block-end: -0.625rem;
        inset-inline-end: 0;
        padding-inline-start: 0;
        border-radius: var(--lb-radius-small);
        background: var(--lb-background);
      }

      .is-own .actions {
        inset-inline: 0 auto;
      }
    }
  }

  /* By touch, a message shows what can be done with it once it is tapped. */
  @media (hover: none) {
    @container thread (inline-size < 30rem) {
      .message:not(:hover, :focus-within) .actions {
        block-size: 0;
        overflow: hidden;
      }
    }
  }

  @container inbox (inline-size < 35rem) {
    .composer {
      padding-inline: 0.625rem;
    }

    .messages {
      padding-inline: 0.75rem;
    }
  }
`
