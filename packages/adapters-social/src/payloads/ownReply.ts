import { Posted } from "@loopbox/core/networks/InboundActivity"
import type { Person } from "@loopbox/core/networks/InboundActivity"
import type { Reply, SentReply } from "@loopbox/core/networks/Reply"
import type { Network } from "../names.ts"
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"

/** What a network answered to a reply, and what is known besides. */
export interface OwnReply {
  readonly id: string
  readonly at: DateTime.Utc
  readonly author: Person
  readonly permalink: Option.Option<string>
  readonly summons: Posted["summons"]
}

/** A reply in a thread of posts as our own item: the text is the one that was sent, whatever the network makes of it. */
export const ownReply = (
  network: Network,
  access: AccountAccess,
  { source, target, text }: Reply,
  { at, author, id, permalink, summons }: OwnReply
): SentReply => ({
  posted: new Posted({
    route: { network, accountId: Option.some(access.networkAccountId), username: Option.none() },
    source,
    externalId: id,
    replyTargetId: id,
    threadKey: { _tag: "Known", key: target.threadKey },
    parentExternalId: Option.some(target.replyTargetId),
    linkedPostId: Option.some(target.threadKey),
    author,
    isOwn: true,
    body: text,
    attachments: [],
    receivedAt: at,
    version: 0,
    editedAt: Option.none(),
    permalink,
    summons,
    operationTag: Option.none(),
    isStandby: false
  })
})
