import { css } from "lit"
import "../loopboxConsole.ts"

// By script, since the page's policy allows no style that stands in its HTML.
const { styleSheet } = css`
  html,
  body,
  loopbox-console {
    block-size: 100%;
  }

  body {
    margin: 0;
  }

  loopbox-console {
    display: block;
  }
`
if (styleSheet !== undefined) document.adoptedStyleSheets = [styleSheet]
