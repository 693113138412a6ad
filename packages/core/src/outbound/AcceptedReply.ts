import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Attachment, Posted, Summons } from "../networks/InboundActivity.ts"
import { Network, Source } from "../networks/Source.ts"

const text = Schema.Option(Schema.String)

/**
 * The network's answer to a reply that it accepted, kept until the reply is stored as an item. The fields are those of
 * `Posted`.
 */
export const AcceptedReply = Schema.Struct({
  route: Schema.Struct({ network: Network, accountId: text, username: text }),
  source: Source,
  externalId: Schema.String,
  replyTargetId: Schema.String,
  threadKey: Schema.Union([
    Schema.TaggedStruct("Known", { key: Schema.String }),
    Schema.TaggedStruct("RootOf", { parentExternalId: Schema.String })
  ]),
  parentExternalId: text,
  linkedPostId: text,
  author: Schema.Struct({ id: text, name: text, username: text, avatarUrl: text }),
  isOwn: Schema.Boolean,
  body: Schema.String,
  attachments: Schema.Array(Attachment),
  receivedAt: Schema.DateTimeUtc,
  version: Schema.Int,
  editedAt: Schema.Option(Schema.DateTimeUtc),
  permalink: text,
  summons: Schema.Option(Summons),
  operationTag: text,
  isStandby: Schema.Boolean
})
export type AcceptedReply = typeof AcceptedReply.Type

/** The reply as an own item, with the text that was sent (api.md §3). */
export const toPosted = (accepted: AcceptedReply, operation: { readonly id: string; readonly text: string }): Posted =>
  new Posted({ ...accepted, isOwn: true, body: operation.text, operationTag: Option.some(operation.id) })

/** The stored part of the reply. */
export const toAccepted = ({ _tag, ...members }: Posted): AcceptedReply => members
