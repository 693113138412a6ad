import { DateTime, Effect, Layer, Option, Redacted, Result } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { AccountAdministration } from "@loopbox/core/access/AccountAdministration"
import type { WriteFailed } from "@loopbox/core/networks/ConnectorErrors"
import type { Posted } from "@loopbox/core/networks/InboundActivity"
import type { Reply } from "@loopbox/core/networks/Reply"
import { networkOf } from "@loopbox/testing/fixtures/networks"
import type { Source } from "@loopbox/core/networks/Source"
import { Ingest } from "@loopbox/core/inbox/Ingest"
import { IdempotencyKey } from "@loopbox/core/kernel/IdempotencyKey"
import { InboxItemId, nextOutboundOperationId } from "@loopbox/core/kernel/Ids"
import * as outbound from "@loopbox/core/outbound/OutboundOperation"
import { OutboundStore } from "@loopbox/core/outbound/OutboundStore"
import * as ReplyWorker from "@loopbox/core/replies/ReplyWorker"
import { posted, type PostedOptions } from "@loopbox/testing/fixtures/activities"
import { FakeNetworks } from "@loopbox/testing/fakes/FakeConnector"
import { ingest } from "@loopbox/testing/fixtures/inboxFixtures"
import { inbox, itemId, makeInbox, scopes } from "./inboxSupport.ts"
import { type Answer, driving, serverWith, services } from "../support.ts"

const { workspace } = scopes

/** The server, and a worker that sends. */
export const server = serverWith().pipe(
  Layer.provideMerge(ReplyWorker.layer().pipe(Layer.provide(Layer.provideMerge(Ingest.layer, driving)))),
  Layer.provideMerge(services),
  Layer.provideMerge(SecureRandom.layerWebCrypto)
)

/** A workspace with one item of somebody. */
export const makeItem = Effect.fnUntraced(function* (source: Source = "ig_comment", options: PostedOptions = {}) {
  const made = yield* makeInbox()
  const page = `page of ${made.id}`
  const { account } = yield* (yield* AccountAdministration).connect(made.id, {
    network: networkOf(source),
    networkAccountId: page,
    name: "The Page",
    username: Option.some(made.id),
    avatarUrl: Option.none(),
    externalUserId: Option.some("u1"),
    credentials: { accessToken: Redacted.make("token"), refreshToken: Option.none(), expiresAt: Option.none() },
    permissions: []
  })
  yield* ingest(account, [posted({ source, externalId: "c1", account: page, ...options })])
  return { ...made, page, account, item: yield* itemId(made.key, "c1") }
})

export type World = Effect.Success<ReturnType<typeof makeItem>>

/** One request to reply. */
export const send = ({ item, key }: World, text: unknown, idempotencyKey?: string, query: string = workspace) =>
  inbox("POST", `/${item}/reply`, query, {
    key,
    json: { text },
    headers: idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }
  })

export const about = (reply: Reply) => ({
  network: networkOf(reply.source),
  networkCode: Option.some("17"),
  detail: "x"
})

/** What the network of a workspace's account makes of replies; the tests of a file share one network. */
const behaviours = new Map<string, (reply: Reply) => ReturnType<typeof takes>>()

export const takes = (reply: Reply, page: string): Effect.Effect<{ posted: Posted }, WriteFailed> =>
  Effect.succeed({
    posted: Object.assign(
      posted({
        source: reply.source,
        account: page,
        externalId: `r-${reply.operationId}`,
        isOwn: true,
        body: reply.text
      }),
      { parentExternalId: Option.some(reply.target.externalId) }
    )
  })

export const behave = Effect.fnUntraced(function* (
  { page }: World,
  behaviour: (reply: Reply) => ReturnType<typeof takes>
) {
  const networks = yield* FakeNetworks
  behaviours.set(page, behaviour)
  networks.script = {
    measure: (_source, text) => ({ length: text.length, limit: 20 }),
    sendReply: (access, reply) => {
      const found = behaviours.get(access.networkAccountId)
      return found === undefined ? Effect.die(new Error("not scripted")) : found(reply)
    }
  }
})

/** Everything is taken; answers what was sent. */
export const takeAll = Effect.fnUntraced(function* (world: World) {
  const sent: Array<string> = []
  yield* behave(world, (reply) => {
    sent.push(reply.text)
    return takes(reply, world.page)
  })
  return sent
})

export const detailsOf = ({ body }: Answer) => ({ ...body["error"]?.["details"] })
export const operationIdOf = ({ headers }: Answer) => headers.get("x-operation-id") ?? ""

/** Puts an operation with this key into a state that takes time to come to. */
export const given = Effect.fnUntraced(function* (
  { account, item }: World,
  key: string,
  stateAt: (now: DateTime.Utc) => outbound.OperationState
) {
  const now = yield* DateTime.now
  const operation = new outbound.OutboundOperation({
    id: yield* nextOutboundOperationId(yield* SecureRandom.SecureRandom),
    workspaceId: account.workspaceId,
    accountId: account.id,
    itemId: InboxItemId.make(item),
    source: "ig_comment",
    idempotencyKey: Option.some(IdempotencyKey.make(key)),
    text: "Yes",
    target: { externalId: "c1", replyTargetId: "c1", threadKey: "c1", linkedPostId: Option.none() },
    attempts: 1,
    state: stateAt(now),
    createdAt: now,
    updatedAt: now
  })
  return yield* (yield* OutboundStore).submit(operation, () => Result.succeed(operation))
})
