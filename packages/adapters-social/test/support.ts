import type { Feed } from "@loopbox/core/networks/Feed"
import type { Reply, UncertainReply } from "@loopbox/core/networks/Reply"
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import type { Source } from "../src/names.ts"
import { DateTime, Option, Redacted } from "effect"

/** The account in whose name a network is asked. */
export const accessTo = (networkAccountId: string, username: string): AccountAccess => ({
  networkAccountId,
  otherAccountId: Option.none(),
  login: Option.none(),
  throughAccountId: Option.none(),
  username: Option.some(username),
  accessToken: Redacted.make("token-of-the-account")
})

/** A reply to `target` in the thread of `root`. */
export const replyTo = (source: Source, target: string, root: string, text = "Thank you!"): Reply => ({
  source,
  target: { externalId: target, replyTargetId: target, threadKey: root, linkedPostId: Option.some(root) },
  text,
  operationId: "op_01"
})

/** The same, sent a minute after noon, with whatever outcome. */
export const uncertain = (reply: Reply, preparation?: string): UncertainReply => ({
  reply,
  preparation: Option.fromUndefinedOr(preparation),
  attemptedAt: DateTime.makeUnsafe("2024-11-21T12:01:00Z")
})

export const noRequest = {
  cursor: Option.none<string>(),
  checkpoint: Option.none<string>(),
  since: Option.none<DateTime.Utc>(),
  limit: Option.none<number>()
}

/** The feed of what mentions an account of X. */
export const mentionsFeed: Feed = {
  step: "mentions",
  source: "x_reply",
  id: "111",
  items: Option.none(),
  updatedAt: Option.none(),
  size: Option.none(),
  firstPage: Option.none()
}
