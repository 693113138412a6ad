import { DateTime, Effect, Fiber, Layer, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { AuthExpired, Unavailable } from "../../src/networks/ConnectorErrors.ts"
import { Posted } from "../../src/networks/InboundActivity.ts"
import { PollStore } from "../../src/sync/PollStore.ts"
import { Sync } from "../../src/sync/Sync.ts"
import * as SyncWorker from "../../src/polling/SyncWorker.ts"
import { posted, type PostedOptions } from "@loopbox/testing/fixtures/activities"
import { scopeOf, walk } from "@loopbox/testing/fixtures/inboxFixtures"
import type { FakeItem } from "@loopbox/testing/fakes/fakeFeeds"
import { enter, layerInbox } from "@loopbox/testing/layers/inboxLayers"

export const manual = SyncWorker.layer({ every: Option.none(), pollEvery: "1 minute" }).pipe(
  Layer.provideMerge(layerInbox)
)
export const automatic = SyncWorker.layer({ pollEvery: "10 seconds" }).pipe(Layer.provideMerge(layerInbox))

export const noon = DateTime.makeUnsafe(0)
export const minutes = (count: number) => DateTime.add(noon, { minutes: count })

/** A comment on a post, at this minute of the test. */
export const comment = (id: string, at: number, more: PostedOptions & { readonly feed?: string } = {}): FakeItem => {
  const feed = more.feed ?? "post"
  const told = posted({ externalId: id, threadKey: id, body: `text of ${id}`, ...more, receivedAt: minutes(at) })
  const isMessage = told.source.endsWith("_dm")
  return {
    account: more.account ?? "page",
    feed,
    posted: new Posted({
      ...told,
      threadKey: isMessage ? { _tag: "Known", key: feed } : told.threadKey,
      linkedPostId: isMessage ? Option.none() : Option.some(feed)
    })
  }
}

export const many = (count: number, start = 0) =>
  Array.from({ length: count }, (_, n) => comment(`c${start + n}`, 10 * (start + n)))

/** Requests a sync, and moves the clock until it is answered. */
export const sync = Effect.fnUntraced(function* (workspaceId: string, user?: string) {
  const caller = yield* enter(workspaceId, user)
  const fiber = yield* Effect.forkChild((yield* Sync).poll(caller))
  yield* TestClock.adjust("20 seconds")
  return yield* Fiber.join(fiber)
})

export const bodies = (workspaceId: Parameters<typeof scopeOf>[0]) =>
  Effect.map(walk(scopeOf(workspaceId)), (items) => items.map(({ body }) => body).toSorted())

export const codes = (run: Effect.Success<ReturnType<typeof sync>>) =>
  run.accounts.flatMap(({ errors }) => errors.map(({ code, step }) => `${step} ${code}`))

/** New credentials of an account. */
export const credentials = { accessToken: Redacted.make("new"), refreshToken: Option.none(), expiresAt: Option.none() }

export const failed = { network: "instagram", networkCode: Option.none(), detail: "" } as const
export const down = new Unavailable({ ...failed, reason: "upstream" })
export const dead = new AuthExpired({ ...failed, reason: "token", missingScopes: [] })
export const forbidden = new AuthExpired({ ...failed, reason: "permission", missingScopes: ["comments"] })

/** A worker that polls, and how many polls it has settled. */
export const countedPolls = (options?: Parameters<typeof SyncWorker.layer>[0]) => {
  const polls = { settled: 0 }
  const worker = SyncWorker.layer({ pollEvery: "10 seconds", ...options }).pipe(
    Layer.updateService(PollStore, (store) =>
      PollStore.of({
        ...store,
        settle: (claim, settlement, at) =>
          Effect.andThen(
            Effect.sync(() => (polls.settled += 1)),
            store.settle(claim, settlement, at)
          )
      })
    ),
    Layer.provideMerge(layerInbox)
  )
  return { polls, worker }
}
