import { DateTime, Effect, Fiber, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { InboxAccess } from "../../src/access/InboxAccess.ts"
import type { NewAccount } from "../../src/access/AccountAdministration.ts"
import {
  AuthExpired,
  OutcomeUnknown,
  RateLimited,
  Rejected,
  Unavailable,
  type WriteFailed
} from "../../src/networks/ConnectorErrors.ts"
import type { Posted } from "../../src/networks/InboundActivity.ts"
import type { Reply, UncertainReply } from "../../src/networks/Reply.ts"
import { networkOf } from "@loopbox/testing/fixtures/networks"
import type { Source } from "../../src/networks/Source.ts"
import { InboxEvents } from "../../src/feed/InboxEvents.ts"
import { IdempotencyKey } from "../../src/kernel/IdempotencyKey.ts"
import { Replies } from "../../src/replies/Replies.ts"
import * as ReplyWorker from "../../src/replies/ReplyWorker.ts"
import { posted, type PostedOptions } from "@loopbox/testing/fixtures/activities"
import { FakeNetworks } from "@loopbox/testing/fakes/FakeConnector"
import { idOf, ingest, scopeOf } from "@loopbox/testing/fixtures/inboxFixtures"
import { makeWorkspace } from "@loopbox/testing/fixtures/mediaFixtures"
import { connectAccount, layerInbox } from "@loopbox/testing/layers/inboxLayers"

/** The inbox with a worker that sends. */
export const layerReplies = ReplyWorker.layer().pipe(Layer.provideMerge(layerInbox))

/** The same with a worker that seldom looks by itself, for tests that last for days. */
export const layerPatient = ReplyWorker.layer({ pollEvery: "20 minutes" }).pipe(Layer.provideMerge(layerInbox))

/** Says what the networks do from now on. */
export const script = (change: FakeNetworks["Service"]["script"]) =>
  Effect.map(FakeNetworks, (networks) => {
    networks.script = { ...networks.script, ...change }
  })

/** An account with one item of somebody to answer, and the workspace's caller. */
export const makeItem = Effect.fnUntraced(function* (
  source: Source = "ig_comment",
  options: PostedOptions = {},
  change: Partial<NewAccount> = {}
) {
  const workspace = yield* makeWorkspace("growth")
  const account = yield* connectAccount(workspace.id, { network: networkOf(source), ...change })
  yield* ingest(account, [posted({ source, externalId: "c1", ...options })])
  const caller = yield* (yield* InboxAccess).enterEmbedded(workspace.id, Option.none())
  return { workspace, account, caller, itemId: yield* idOf(scopeOf(workspace.id), "c1") }
})

export type World = Effect.Success<ReturnType<typeof makeItem>>

/** Asks for a reply. */
export const reply = Effect.fnUntraced(function* (world: World, text: string, key?: string) {
  const idempotencyKey = key === undefined ? Option.none<IdempotencyKey>() : Option.some(IdempotencyKey.make(key))
  return yield* (yield* Replies).reply(world.caller, world.itemId, { text, idempotencyKey })
})

/** What a network makes of a reply: our own item, as it would tell of it. */
export const postOf = ({ source, target, text }: Reply, externalId: string, options: PostedOptions = {}) =>
  Object.assign(
    posted({
      source,
      externalId,
      threadKey: target.threadKey,
      body: text,
      isOwn: true,
      author: { id: Option.some("page") },
      ...options
    }),
    { parentExternalId: Option.some(target.externalId) }
  )

const common = (reply: Reply) => ({
  network: networkOf(reply.source),
  networkCode: Option.some("17"),
  detail: "as scripted"
})

/** How sending may fail. */
export const failures = {
  refused: (reply: Reply) => new Rejected({ ...common(reply), reason: "blocked" }),
  duplicate: (reply: Reply) => new Rejected({ ...common(reply), reason: "duplicate" }),
  limited: (reply: Reply) => new RateLimited({ ...common(reply), retryAt: Option.none() }),
  expired: (reply: Reply) => new AuthExpired({ ...common(reply), reason: "permission", missingScopes: ["x.write"] }),
  away: (reply: Reply) => new Unavailable({ ...common(reply), reason: "upstream" }),
  unknown: (reply: Reply) => new OutcomeUnknown(common(reply))
}

/** Everything that is sent is taken; answers the list of it. */
export const takeAll = Effect.gen(function* () {
  const sent: Array<Reply> = []
  yield* script({
    sendReply: (_access, asked) =>
      Effect.sync(() => {
        sent.push(asked)
        return { posted: postOf(asked, `r${sent.length}`) }
      })
  })
  return sent
})

/** Sending fails in the same way from now on; answers what was tried. */
export const failAll = Effect.fnUntraced(function* (failure: (reply: Reply) => WriteFailed) {
  const tried: Array<Reply> = []
  yield* script({
    sendReply: (_access, asked) =>
      Effect.suspend(() => {
        tried.push(asked)
        return Effect.fail(failure(asked))
      })
  })
  return tried
})

/** Runs a request for as long as one waits. */
export const whole = <A, E, R>(request: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(request)
    yield* TestClock.adjust("21 seconds")
    return yield* Fiber.join(fiber)
  })

/** The statuses that the workspace's readers were told of, in order. */
export const toldStatuses = Effect.fnUntraced(function* (world: World) {
  const { events } = yield* (yield* InboxEvents).read(world.workspace.id, 0, 1_000)
  return events.flatMap(({ event }) => (event._tag === "ReplyUpdated" ? [event.operation.status] : []))
})

/** Reads the operation again. */
export const find = Effect.fnUntraced(function* (world: World, id: string) {
  return yield* (yield* Replies).find(world.caller, id)
})

/** Sets the result of look-ups; returns their times, in seconds after the attempt. */
export const showing = Effect.fnUntraced(function* (show: (uncertain: UncertainReply) => ReadonlyArray<Posted>) {
  const looks: Array<number> = []
  yield* script({
    findReply: (_access, uncertain) =>
      Effect.map(DateTime.now, (now) => {
        looks.push((now.epochMilliseconds - uncertain.attemptedAt.epochMilliseconds) / 1_000)
        return { _tag: "Candidates", posted: show(uncertain) }
      })
  })
  return looks
})
