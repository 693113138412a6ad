import { assert } from "@effect/vitest"
import { Effect, Fiber, Option } from "effect"
import { TestClock } from "effect/testing"
import type { EntitledCaller } from "@loopbox/core/access/EntitledCaller"
import { InboxEvents } from "@loopbox/core/feed/InboxEvents"
import { Sync } from "@loopbox/core/sync/Sync"
import { newItemsOf, type SyncRun } from "@loopbox/core/sync/SyncRun"
import type { FakeFeeds } from "../../../src/fakes/fakeFeeds.ts"
import { walk } from "../../../src/fixtures/inboxFixtures.ts"
import type { Chance } from "../Chance.ts"
import type { Accounts } from "./Accounts.ts"

const input = { accountId: Option.none(), lookbackDays: 7, maxItems: 60 }

/** The networks that are polled; of a billed one a first poll reads the newest page only. */
const polled = ["i1", "x1"] as const

/** People ask for what webhooks missed, and for the past. */
export const makeAsking = Effect.fnUntraced(function* (
  chance: Chance,
  callers: ReadonlyMap<string | undefined, EntitledCaller>,
  whole: EntitledCaller,
  { places }: Accounts,
  feeds: FakeFeeds
) {
  const [sync, events] = [yield* Sync, yield* InboxEvents]
  /** Runs that were asked for, and by whose callers. */
  const asked = new Map<string, string | undefined>()

  const isOf = (user: string | undefined) => (page: (typeof polled)[number] | "f1") => {
    const place = places.get(page)
    return place?.gone === undefined && (user === undefined || place?.owner === user)
  }
  /** What the accounts of a scope have at their networks, and here. */
  const missing = Effect.fnUntraced(function* (all: ReadonlyArray<string>) {
    const here = new Set((yield* walk(whole)).map(({ externalId }) => externalId))
    return feeds.items.flatMap(({ account, posted: { externalId } }) =>
      all.includes(account) && !here.has(externalId) ? [externalId] : []
    )
  })

  /** How many items came by polls; what is answered or told by webhooks comes at any time. */
  const countRead = Effect.map(
    walk(whole),
    (items) => items.filter(({ isOwn, source }) => !isOwn && source !== "fb_comment").length
  )

  /** The end of a run is told at once, once. */
  const checkTold = Effect.fnUntraced(function* ({ id }: SyncRun) {
    const { events: log } = yield* events.read(whole.scope.workspaceId, 0, 100_000)
    const told = log.filter(({ event }) => event._tag === "SyncCompleted" && event.syncId === id)
    assert.strictEqual(told.length, 1, "how often the end of a sync was told")
  })

  const pollOf = Effect.fnUntraced(function* (user: string | undefined) {
    const caller = callers.get(user)
    if (caller === undefined) return
    const before = yield* countRead
    // Two people of a scope ask at once, and share a poll.
    const both = yield* Effect.forkScoped(Effect.all([sync.poll(caller), sync.poll(caller)], { concurrency: 2 }))
    yield* TestClock.adjust("45 seconds")
    const [run, other] = yield* Fiber.join(both)
    asked.set(run.id, user).set(other.id, user)
    const pages = (["i1", "f1", "x1"] as const).filter(isOf(user))
    assert.isTrue(run.isCompleted, "a poll that was asked for never ended")
    yield* checkTold(run)
    assert.strictEqual(run.accountsChecked, pages.length, "accounts of a poll that was asked for")
    assert.isEmpty(
      run.accounts.flatMap(({ errors }) => errors),
      "what hindered a poll"
    )
    const isEmptyRun = run.accounts.length === 0
    if (!isEmptyRun) assert.strictEqual(other.id, run.id, "two polls of the same accounts at once")
    assert.isEmpty(yield* missing(pages.filter((page) => page === "i1")), "a poll that was asked for has left out")
    assert.strictEqual(newItemsOf(run), (yield* countRead) - before, "new items of a poll")
  })

  const poll = Effect.suspend(() => pollOf(chance.pick(Array.from(callers.keys()))))

  const isInvalid = Effect.fnUntraced(function* (caller: EntitledCaller, request: Parameters<typeof sync.backfill>[1]) {
    const refused = yield* Effect.flip(sync.backfill(caller, request)).pipe(Effect.option)
    assert.strictEqual(Option.getOrUndefined(refused)?._tag, "ConfirmationInvalid", "whose confirmation it is")
  })

  /** A small one needs no confirmation, and takes no more than it was asked for. */
  const backfillFew = Effect.fnUntraced(function* (caller: EntitledCaller, user: string | undefined) {
    const maxItems = 3
    const before = yield* countRead
    const request = { input: { ...input, maxItems }, confirmation: Option.none<string>() }
    const asking = yield* Effect.forkScoped(sync.backfill(caller, request))
    yield* TestClock.adjust("45 seconds")
    const done = yield* Fiber.join(asking)
    if (done._tag !== "Run") return assert.fail("a small backfill has to be confirmed")
    asked.set(done.run.id, user)
    assert.isTrue(done.run.isCompleted, "a backfill never ended")
    yield* checkTold(done.run)
    const { accepted, duplicates, stopReason } = Option.getOrThrow(done.run.accounts[0]?.backfill ?? Option.none())
    assert.isAtMost(accepted + duplicates, maxItems, "posts that a backfill has taken")
    assert.strictEqual(accepted, (yield* countRead) - before, "new items of a backfill")
    const there = feeds.items.filter(({ account }) => account === "x1").length
    if (stopReason === "end_of_data") assert.isEmpty(yield* missing(["x1"]), "a backfill has left out")
    else assert.isAtLeast(there, maxItems, "a backfill that has taken all that it may")
  })

  /** A large one has to be confirmed: by who asked, for the same, and once. */
  const backfill = Effect.gen(function* () {
    const user = chance.pick(Array.from(callers.keys()))
    const caller = callers.get(user)
    if (caller === undefined || !isOf(user)("x1")) return
    yield* backfillFew(caller, user)
    const large = { ...input, maxItems: 500 }
    const offered = yield* sync.backfill(caller, { input: large, confirmation: Option.none() })
    if (offered._tag !== "ConfirmationRequired") return assert.fail("a large backfill began without a confirmation")
    const confirmation = Option.some(offered.token)
    for (const [other, stranger] of callers)
      if (other !== user) yield* isInvalid(stranger, { input: large, confirmation })
    yield* isInvalid(caller, { input, confirmation })
    const before = yield* countRead
    const begin = Effect.forkScoped(sync.backfill(caller, { input: large, confirmation }))
    const first = yield* begin
    yield* TestClock.adjust("45 seconds")
    const done = yield* Fiber.join(first)
    const again = yield* begin
    // It is answered at once; one that began anew would wait for its network.
    yield* TestClock.adjust("45 seconds")
    const second = yield* Fiber.join(again)
    if (done._tag !== "Run" || second._tag !== "Run") return assert.fail("a confirmation did not count")
    assert.strictEqual(second.run.id, done.run.id, "a confirmation began two backfills")
    asked.set(done.run.id, user)
    assert.isTrue(done.run.isCompleted, "a backfill never ended")
    yield* checkTold(done.run)
    const [result] = done.run.accounts
    const counts = Option.getOrThrow(result?.backfill ?? Option.none())
    const came = (yield* countRead) - before
    assert.isEmpty(yield* missing(["x1"]), "a backfill has left out")
    assert.deepStrictEqual(
      [counts.accepted, counts.accepted + counts.duplicates + counts.suppressed],
      [came, counts.read],
      "what a backfill says that it read"
    )
    // What it has read is no news of the poll that follows.
    yield* pollOf(user)
  })

  /** Each run is found by who asked and by the workspace, has ended, and was told of once. */
  const check = Effect.gen(function* () {
    const { events: log } = yield* events.read(whole.scope.workspaceId, 0, 100_000)
    const told = log.flatMap(({ event }) => (event._tag === "SyncCompleted" ? [event.syncId] : []))
    assert.strictEqual(new Set(told).size, told.length, "a sync was told of twice")
    for (const [id, user] of asked) {
      for (const [other, caller] of callers) {
        const found = yield* Effect.option(sync.find(caller, id))
        const isSeen = other === undefined || other === user
        assert.strictEqual(Option.isSome(found), isSeen, "who may see a sync")
        if (Option.isSome(found)) assert.isTrue(isEnded(found.value), `${id} has not ended`)
      }
    }
  })
  const isEnded = ({ isCompleted }: SyncRun) => isCompleted
  const forget = (user: string) => {
    for (const [id, owner] of asked) if (owner === user) asked.delete(id)
  }
  const forgetAll = () => asked.clear()
  return { poll, backfill, check, forget, forgetAll }
})
