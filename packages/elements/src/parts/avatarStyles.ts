import { css } from "lit"

/** Pictures of people and accounts, with the sign of their network. */
export const avatarStyles = css`
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
`
