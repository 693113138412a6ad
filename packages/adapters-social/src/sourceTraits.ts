import type { ActionTraits, SourceTraits } from "@loopbox/core/networks/Network"
import * as Duration from "effect/Duration"
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
  humanAgent: Option.none(),
  actions: [],
  comparable: unchanged
}

/** What direct messages have in common. */
export const messageTraits: Common = {
  ...postTraits,
  kind: "message",
  pollStep: "messages",
  listedBy: Option.some("threadKey"),
  // Meta gives it to an app by review and tells of no token whether it has it (api-2-decided.md A6).
  humanAgent: Option.some({ permission: "human_agent", within: Duration.days(7) })
}

/** An action without conditions, but for whose items it is for: a descriptor names what is otherwise. */
export const actionTraits = (name: ActionTraits["name"], of: ActionTraits["of"]): ActionTraits => ({
  name,
  of,
  place: "any",
  within: Option.none(),
  logins: Option.none(),
  pace: Option.none()
})

/** Who wrote a comment gets one message for it, within 7 days (social-networks-write.md C). */
export const privateReply: ActionTraits = {
  ...actionTraits("private_reply", "others"),
  within: Option.some(Duration.days(7))
}
