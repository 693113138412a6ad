import type { ActionTraits, ReplyMediaTraits, SourceTraits } from "@loopbox/core/networks/Network"
import type { MediaLimits } from "@loopbox/core/networks/publishing/PublishRules"
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
  replyMedia: Option.none(),
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

const message_bytes = 25_000_000

const sounds: MediaLimits = { contentTypes: ["audio/mp4", "audio/aac", "audio/wav"], maxBytes: message_bytes }
const films: MediaLimits = { contentTypes: ["video/mp4", "video/quicktime", "video/webm"], maxBytes: message_bytes }

/** What a message of Instagram carries in place of a text (api-2-decided.md A59). */
export const instagramFiles: ReplyMediaTraits = {
  withText: false,
  image: { contentTypes: ["image/jpeg", "image/png", "image/gif"], maxBytes: 8_000_000 },
  video: films,
  audio: sounds
}

/** Likewise of Messenger. */
export const messengerFiles: ReplyMediaTraits = {
  withText: false,
  image: { contentTypes: ["image/jpeg", "image/png", "image/gif"], maxBytes: message_bytes },
  video: films,
  audio: { ...sounds, contentTypes: [...sounds.contentTypes, "audio/mpeg"] }
}

/** A comment on Facebook has a picture beside its text, with the limits of photos (social-networks-write.md B0). */
export const commentFiles: ReplyMediaTraits = {
  withText: true,
  image: { contentTypes: ["image/jpeg", "image/png", "image/gif"], maxBytes: 10_000_000 }
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
