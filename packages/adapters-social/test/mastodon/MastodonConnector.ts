import { AuthExpired, OutcomeUnknown, Rejected, Unavailable } from "@loopbox/core/networks/ConnectorErrors"
import type { ReadFailed } from "@loopbox/core/networks/ConnectorErrors"
import { Posted } from "@loopbox/core/networks/InboundActivity"
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import type { SocialConnector } from "@loopbox/core/networks/SocialConnector"
import { DateTime, Effect, Option, Redacted, Schema } from "effect"
import { HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"

const network = "mastodon"
const limit = 500

const Account = Schema.Struct({ id: Schema.String, acct: Schema.String, display_name: Schema.String })
const Status = Schema.Struct({
  id: Schema.String,
  created_at: Schema.String,
  text: Schema.String,
  in_reply_to_id: Schema.NullOr(Schema.String),
  conversation_id: Schema.String,
  account: Account
})
type Status = typeof Status.Type
const Mentions = Schema.Struct({ statuses: Schema.Array(Status), next: Schema.NullOr(Schema.String) })

const about = (detail: string) => ({ network, networkCode: Option.none<string>(), detail })

const toPosted = (access: AccountAccess, status: Status): Posted =>
  new Posted({
    route: { network, accountId: Option.some(access.networkAccountId), username: Option.none() },
    source: "mastodon_reply",
    externalId: status.id,
    replyTargetId: status.id,
    threadKey: { _tag: "Known", key: status.conversation_id },
    parentExternalId: Option.fromNullOr(status.in_reply_to_id),
    linkedPostId: Option.some(status.conversation_id),
    author: {
      id: Option.some(status.account.id),
      name: Option.some(status.account.display_name),
      username: Option.some(status.account.acct),
      avatarUrl: Option.none()
    },
    isOwn: status.account.id === access.networkAccountId,
    body: status.text,
    attachments: [],
    receivedAt: DateTime.makeUnsafe(status.created_at),
    version: 0,
    editedAt: Option.none(),
    permalink: Option.none(),
    summons: Option.none(),
    operationTag: Option.none(),
    isStandby: false
  })

/** What a status of HTTP stands for, on reads and on writes. */
const refused = (status: number): ReadFailed => {
  if (status === 401) {
    return new AuthExpired({ ...about("401"), reason: "token", missingScopes: [] })
  }
  if (status === 404) return new Rejected({ ...about("404"), reason: "gone" })
  return new Unavailable({ ...about(String(status)), reason: "upstream" })
}

/** A connector as somebody outside of this project would write one: of the port alone. */
export const makeMastodonConnector = (client: HttpClient.HttpClient, url: string): SocialConnector => {
  const ask = <A>(
    access: AccountAccess,
    request: HttpClientRequest.HttpClientRequest,
    schema: Schema.Codec<A, unknown>
  ): Effect.Effect<A, ReadFailed> =>
    Effect.gen(function* () {
      const response = yield* client.execute(HttpClientRequest.bearerToken(request, Redacted.value(access.accessToken)))
      if (response.status !== 200) return yield* refused(response.status)
      return yield* HttpClientResponse.schemaBodyJson(schema)(response)
    }).pipe(
      Effect.timeout("2 seconds"),
      Effect.catchTags({
        HttpClientError: (error) => Effect.fail(new Unavailable({ ...about(error.message), reason: "upstream" })),
        TimeoutError: () => Effect.fail(new Unavailable({ ...about("no answer in time"), reason: "upstream" })),
        SchemaError: () => Effect.fail(new Unavailable({ ...about("unreadable"), reason: "unreadable" }))
      })
    )
  const read = <A>(access: AccountAccess, path: string, schema: Schema.Codec<A, unknown>) =>
    ask(access, HttpClientRequest.get(`${url}${path}`), schema)
  const mentions = (access: AccountAccess, cursor: Option.Option<string>) =>
    read(access, `/mentions?after=${Option.getOrElse(cursor, () => "")}`, Mentions)

  return {
    network,
    pollSteps: ["mentions"],
    listFeeds: (access) =>
      Effect.succeed([
        {
          step: "mentions",
          source: "mastodon_reply",
          id: access.networkAccountId,
          items: Option.none(),
          updatedAt: Option.none(),
          size: Option.none(),
          firstPage: Option.none()
        }
      ]),
    readFeed: Effect.fnUntraced(function* (access, _feed, { cursor }) {
      const requestedAt = yield* DateTime.now
      const { next, statuses } = yield* mentions(access, cursor)
      return {
        activities: statuses.map((status) => toPosted(access, status)),
        seen: statuses.map(({ id }) => id),
        coversFrom: Option.none(),
        next: Option.fromNullOr(next),
        checkpoint: Option.none(),
        read: statuses.length,
        suppressed: 0,
        unreadable: [],
        requestedAt
      }
    }),
    isThere: (access, _source, id) =>
      read(access, `/statuses/${id}`, Status).pipe(
        Effect.as(true),
        Effect.catchTag("Rejected", () => Effect.succeed(false))
      ),
    findMediaContext: (access, _source, id) =>
      Effect.map(read(access, `/statuses/${id}`, Status), (status) => ({
        id,
        caption: Option.some(status.text),
        mediaUrl: Option.none(),
        mediaType: "text",
        timestamp: Option.some(DateTime.makeUnsafe(status.created_at)),
        permalink: Option.none()
      })),
    findPerson: () => Effect.succeedNone,
    findThreadKey: (_access, { parentExternalId }) => Effect.succeed(parentExternalId),
    measure: (_source, text) => ({ length: Array.from(text).length, limit }),
    prepareReply: () => Effect.succeedNone,
    sendReply: (access, { target, text }) =>
      ask(
        access,
        HttpClientRequest.post(`${url}/statuses`).pipe(
          HttpClientRequest.bodyJsonUnsafe({ status: text, in_reply_to_id: target.replyTargetId })
        ),
        Status
      ).pipe(
        Effect.map((status) => ({ posted: toPosted(access, status) })),
        Effect.mapError((error) =>
          error._tag === "Rejected" || error._tag === "AuthExpired" ? error : new OutcomeUnknown(about(error.detail))
        )
      ),
    findReply: (access, { reply }) =>
      Effect.map(read(access, `/own?in_reply_to_id=${reply.target.replyTargetId}`, Mentions), ({ statuses }) => ({
        _tag: "Candidates",
        posted: statuses.map((status) => toPosted(access, status))
      })),
    refreshToken: () => Effect.succeedNone
  }
}
