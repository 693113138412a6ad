import type { Feed } from "@loopbox/core/networks/Feed"
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { graphPageIn } from "./graphPage.ts"
import { readEach } from "./readEach.ts"
import { Id, OptionalId, OptionalName, optionalPart, optionalParts, OptionalTime, reader } from "../payloads/payload.ts"
import { isAccount, messagePage } from "./polledMessages.ts"
import type { MessageSource } from "./polledMessages.ts"

const readConversation = reader(
  Schema.Struct({
    id: Id,
    updated_time: OptionalTime,
    participants: optionalPart(
      Schema.Struct({
        data: optionalParts(Schema.Struct({ id: OptionalId, name: OptionalName, username: OptionalName }))
      })
    ),
    messages: Schema.optionalKey(Schema.Unknown)
  })
)

/** Messages that come along with the list of conversations. */
export const messagesOfPage = 25

/**
 * Conversations as feeds. The thread is the other party, never the conversation's own id, which webhooks don't know
 * (social-networks.md §5).
 */
export const conversationFeeds = Effect.fnUntraced(function* (
  source: MessageSource,
  access: AccountAccess,
  elements: ReadonlyArray<unknown>,
  since: DateTime.Utc,
  requestedAt: DateTime.Utc
) {
  const conversations = yield* readEach("a conversation", elements, readConversation)
  const feeds: Array<Feed> = []
  for (const { id, messages, participants, updated_time } of conversations) {
    if (Option.exists(updated_time, (at) => DateTime.isLessThan(at, since))) continue
    const present = Option.match(participants, { onNone: () => [], onSome: ({ data }) => data })
    const others = present.filter((one) => !isAccount(access, one))
    // Two, and the account is neither: one of them is, by an id that nobody has told yet.
    if (present.length > 1 && others.length === present.length) {
      yield* Effect.logWarning("a conversation is left out, for nobody in it is known as the account", { id })
      continue
    }
    const counterpartId = Option.flatMap(Option.fromUndefinedOr(others[0]), (other) => other.id)
    feeds.push({
      step: "messages",
      source,
      id,
      items: Option.map(counterpartId, (value) => ({ by: "threadKey", value })),
      updatedAt: updated_time,
      size: Option.none(),
      firstPage: Option.map(Option.fromUndefinedOr(messages), (page) =>
        messagePage(source, access, counterpartId, graphPageIn(page), requestedAt)
      )
    })
  }
  return feeds
})

/** The other party of a conversation, where its participants told it. */
export const counterpartOf = ({ items }: Feed): Option.Option<string> =>
  Option.flatMap(items, ({ by, value }) => (by === "threadKey" ? Option.some(value) : Option.none()))
