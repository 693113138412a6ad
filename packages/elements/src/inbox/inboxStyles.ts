import { tokens } from "../base/tokens.ts"
import { avatarStyles } from "../parts/avatarStyles.ts"
import { controls } from "../parts/controls.ts"
import { composerStyles } from "./composerStyles.ts"
import { contextStyles } from "./contextStyles.ts"
import { layoutStyles } from "./layoutStyles.ts"
import { listStyles } from "./listStyles.ts"
import { threadHeadStyles } from "./threadHeadStyles.ts"
import { threadStyles } from "./threadStyles.ts"

/** All looks of an inbox. */
export const inboxStyles = [
  tokens,
  controls,
  avatarStyles,
  layoutStyles,
  listStyles,
  threadHeadStyles,
  threadStyles,
  composerStyles,
  contextStyles
]
