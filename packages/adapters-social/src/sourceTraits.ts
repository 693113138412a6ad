import type { SourceTraits } from "@loopbox/core/networks/Network"
import * as Option from "effect/Option"
import { unchanged } from "./payloads/comparable.ts"

type Common = Omit<SourceTraits, "source" | "replyPermissions">

/** What most comments and answers have in common: a descriptor names what is otherwise. */
export const postTraits: Omit<Common, "pollStep"> = {
  kind: "post",
  listedBy: Option.some("linkedPostId"),
  isBilled: false,
  carriesVersions: false,
  needsKey: false,
  preparesReply: false,
  rootIsThreadKey: false,
  comparable: unchanged
}

/** What direct messages have in common. */
export const messageTraits: Common = {
  ...postTraits,
  kind: "message",
  pollStep: "messages",
  listedBy: Option.some("threadKey")
}
