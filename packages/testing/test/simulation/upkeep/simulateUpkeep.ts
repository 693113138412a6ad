import { assert } from "@effect/vitest"
import { Clock, DateTime, Effect, Exit, Fiber, Layer, Option, Random, Scope, Stream } from "effect"
import { TestClock } from "effect/testing"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import { AccountAdministration } from "@loopbox/core/access/AccountAdministration"
import { Administration } from "@loopbox/core/access/Administration"
import { WorkspaceScope } from "@loopbox/core/access/InboxScope"
import { AccountCredentials } from "@loopbox/core/accounts/AccountCredentials"
import { ManagedUserExport } from "@loopbox/core/exporting/ManagedUserExport"
import { InboxEvents } from "@loopbox/core/feed/InboxEvents"
import { Inbox } from "@loopbox/core/inbox/Inbox"
import { InboxStore } from "@loopbox/core/inbox/InboxStore"
import { UnreadCounters } from "@loopbox/core/inbox/UnreadCounters"
import * as DeliveryWorker from "@loopbox/core/outgoing/DeliveryWorker"
import { WebhookEndpoints } from "@loopbox/core/outgoing/WebhookEndpoints"
import * as SyncWorker from "@loopbox/core/polling/SyncWorker"
import { Posts } from "@loopbox/core/posts/Posts"
import * as PublishWorker from "@loopbox/core/publishing/PublishWorker"
import * as ReplyWorker from "@loopbox/core/replies/ReplyWorker"
import * as InboxSweeper from "@loopbox/core/sweeping/InboxSweeper"
import { Sync } from "@loopbox/core/sync/Sync"
import { Threads } from "@loopbox/core/threads/Threads"
import * as WebhookWorker from "@loopbox/core/webhooks/WebhookWorker"
import { fakeFeeds } from "../../../src/fakes/fakeFeeds.ts"
import { posted } from "../../../src/fixtures/activities.ts"
import { ingest, walk } from "../../../src/fixtures/inboxFixtures.ts"
import { makeWorkspace } from "../../../src/fixtures/mediaFixtures.ts"
import { walkThreads } from "../../../src/fixtures/threadFixtures.ts"
import { connectAccount, enter, layerInboxServices } from "../../../src/layers/inboxLayers.ts"
import { makeChance } from "../Chance.ts"
import { simulatedPorts, users } from "../InboxWorld.ts"
import { checkLaws } from "../laws/checkLaws.ts"
import type { InboxPorts, Plant } from "../planted/PlantedBug.ts"
import { afresh } from "../Weather.ts"
import { asText, mapsOf } from "../whole/erasingInvariants.ts"
import { makeAccounts, targetTo } from "./Accounts.ts"
import { makeAsking } from "./Asking.ts"
import { makeEndpoints } from "./Endpoints.ts"
import { makeSavedTexts } from "./SavedTexts.ts"

const pollEvery = "20 seconds"

const workers = Layer.mergeAll(
  DeliveryWorker.layer({ pollEvery: "3 seconds" }),
  SyncWorker.layer({ every: Option.none(), pollEvery }),
  ReplyWorker.layer({ pollEvery }),
  PublishWorker.layer({ pollEvery }),
  WebhookWorker.layer({ pollEvery })
)

/** Of each account that is connected somebody is told here, other than in the worlds whose events are numbered from one. */
const layerTold = Layer.fresh(AccountAdministration.layer)

const sweeper = InboxSweeper.layer({ every: "1 hour" })

/** Something that runs until it is stopped, and can be begun again. */
const startable = Effect.fnUntraced(function* <R>(layer: Layer.Layer<never, never, R>) {
  const context = yield* Effect.context<R>()
  let scope: Scope.Closeable | undefined
  const stop = Effect.suspend(() => {
    const running = scope
    scope = undefined
    return running === undefined ? Effect.void : Scope.close(running, Exit.void)
  })
  const start = Effect.gen(function* () {
    yield* stop
    scope = yield* Scope.make()
    yield* Effect.provideContext(Layer.buildWithScope(Layer.fresh(layer), scope), context)
  })
  return { start, stop }
})

/** Another workspace, whose users have the same names, and who have of everything something. Nothing happens there. */
const makeNeighbours = Effect.gen(function* () {
  const { id } = yield* makeWorkspace("growth")
  const callers = [yield* enter(id)]
  const now = yield* DateTime.now
  for (const user of users) {
    const externalUserId = Option.some(user)
    const account = yield* connectAccount(id, {
      network: "facebook",
      networkAccountId: `beside-${user}`,
      externalUserId
    })
    yield* ingest(account, [posted({ source: "fb_comment", externalId: `beside-${user}`, receivedAt: now })], { now })
    const caller = yield* enter(id, user)
    callers.push(caller)
    for (const thread of yield* walkThreads(caller)) {
      yield* (yield* Threads).setLabels(caller, thread.id, ["beside"])
      yield* (yield* Threads).addNote(caller, thread.id, { text: "Beside", author: Option.none() })
    }
    yield* (yield* WebhookEndpoints).create(callers[0] ?? caller, {
      ...{ url: `https://hooks.example/beside-${user}`, events: Option.none(), externalUserId },
      ...{ description: Option.none(), isOrdered: false }
    })
    const text = Option.some("Beside")
    const draft = { text, mediaIds: [], targets: [targetTo(account.id)], scheduledAt: Option.none(), isDraft: true }
    yield* (yield* Posts).submit(caller.scope, draft, Option.none())
  }
  // What is seldom done, each once: a post is deleted, a key made and revoked, and an account loses its access at its network.
  const own = yield* connectAccount(id, { network: "facebook", networkAccountId: "beside-all" })
  const [scope, posts] = [new WorkspaceScope({ workspaceId: id }), yield* Posts]
  const { post } = yield* posts.submit(
    scope,
    {
      text: Option.some("Deleted"),
      ...{ mediaIds: [], targets: [targetTo(own.id)], scheduledAt: Option.none(), isDraft: true }
    },
    Option.none()
  )
  yield* posts.remove(scope, post.id)
  const keys = yield* Administration
  const { key } = yield* keys.issueKey(id, { name: "seldom", creatorUserId: Option.none(), expiresAt: Option.none() })
  yield* keys.revokeKey(id, key.id)
  yield* (yield* AccountCredentials).drop({ workspaceId: id, accountId: own.id }, DateTime.add(now, { seconds: 1 }))
  // A page of the town's, which they had: what is told of it is theirs for some days, too.
  const left = yield* connectAccount(id, { network: "facebook", networkAccountId: "f1" })
  yield* (yield* AccountAdministration).disconnect(id, left.id)
  /** All of it goes at once. */
  const end = Effect.gen(function* () {
    yield* (yield* Administration).eraseWorkspace(id)
    yield* checkLaws
  })
  return { callers, end }
})

const makeTown = Effect.fnUntraced(function* (seed: number) {
  const chance = makeChance(seed)
  const workspace = yield* makeWorkspace("growth")
  const administration = yield* AccountAdministration
  for (const user of users) yield* administration.putManagedUser(workspace.id, user)
  const whole = yield* enter(workspace.id)
  const callers = new Map<string | undefined, typeof whole>([[undefined, whole]])
  for (const user of users) callers.set(user, yield* enter(workspace.id, user))
  const feeds = yield* fakeFeeds(4)
  const accounts = yield* makeAccounts(chance, workspace, callers, whole, feeds)
  const asking = yield* makeAsking(chance, callers, whole, accounts, feeds)
  const neighbours = yield* makeNeighbours
  const texts = yield* makeSavedTexts(chance, callers, neighbours.callers)
  const endpoints = yield* makeEndpoints(chance, whole)
  const state = yield* MemoryState
  const [working, sweeping] = [yield* startable(workers), yield* startable(sweeper)]
  const exports = yield* ManagedUserExport
  yield* working.start

  /** Nothing of an account whose time is over is left, but for what was done with it, and that it is gone. */
  const checkErased = Effect.gen(function* () {
    const { deliveries: _heard, logs: _logs, ...ofInbox } = mapsOf(state.inbox)
    const kept = asText([ofInbox, state.inbox.outgoing.endpoints])
    for (const id of yield* accounts.erasedIds) assert.notInclude(kept, id, "something of an erased account is left")
  })

  const exportOf = Effect.fnUntraced(function* (user: (typeof users)[number]) {
    const caller = callers.get(user) ?? whole
    const lines = yield* Stream.runCollect(yield* exports.export(workspace.id, user))
    const named = lines.flatMap((line) =>
      line.type === "end" || line.type === "managed_user" || line.type === "audit_event"
        ? []
        : [`${line.type} ${line.data.id}`]
    )
    // One whose time is over is left out, or is about to be.
    const erased = new Set(yield* accounts.erasedIds)
    const own = Array.from(accounts.places.values()).filter(
      ({ accountId, owner }) => owner === user && !erased.has(accountId)
    )
    const items = (yield* walk(caller)).map(({ id }) => `item ${id}`)
    const wanted = [
      ...own.map(({ accountId }) => `account ${accountId}`),
      ...items,
      ...texts.idsOf(user).map((id) => `saved_reply ${id}`),
      ...endpoints.idsOf(user).map((id) => `webhook_endpoint ${id}`)
    ]
    assert.deepStrictEqual(
      named
        .filter((name) => /^(account|item|saved_reply|webhook_endpoint) /.test(name))
        .filter((name) => !erased.has(name.replace("account ", "")))
        .sort(),
      wanted.sort(),
      "what a user's export has"
    )
    const last = lines.at(-1)
    assert.strictEqual(last?.type === "end" ? last.lines : undefined, lines.length - 1, "lines of an export")
  })

  const exportOne = Effect.suspend(() => exportOf(chance.pick(users) ?? "u1"))

  /** More at once than any page has: all of it is stored, told, exported and marked. */
  const flood = Effect.gen(function* () {
    const { last } = yield* (yield* InboxEvents).range(workspace.id)
    yield* accounts.flood
    // One after the other at the ordered endpoint, where some have to be sent again.
    yield* TestClock.adjust("12 minutes")
    yield* endpoints.checkTold(last)
    yield* exportOf("u1")
    const caller = callers.get("u1") ?? whole
    const [longest] = (yield* walkThreads(caller)).toSorted((a, b) => b.unreadCount - a.unreadCount)
    if (longest !== undefined && chance.isOneIn(2)) {
      yield* (yield* Threads).markRead(caller, longest.id)
      const { unreadCount } = yield* (yield* Threads).find(caller, longest.id)
      assert.strictEqual(unreadCount, 0, "all of a long thread was marked as read")
    }
    yield* (yield* Inbox).markAllRead(caller)
    assert.strictEqual(yield* (yield* InboxStore).countUnread(caller), 0, "all was marked as read")
  })

  /** A user is erased with all that was theirs, and comes again. */
  const eraseUser = Effect.gen(function* () {
    const user = chance.pick(users) ?? "u1"
    // Amid a poll of all accounts, mostly, which has to end without what is erased.
    const polling = chance.isOneIn(3) ? undefined : yield* Effect.forkScoped((yield* Sync).poll(whole))
    yield* TestClock.adjust(chance.below(4_000))
    yield* administration.eraseManagedUser(workspace.id, user)
    const { deliveries: _heard, logs: _logs, ...ofInbox } = mapsOf(state.inbox)
    for (const table of [...Object.values(ofInbox), state.savedReplies, ...Object.values(mapsOf(state.inbox.outgoing))])
      for (const row of table instanceof Map ? table : []) {
        const kept = asText(row)
        // Another workspace has a user of that name.
        if (kept.includes(workspace.id)) assert.notInclude(kept, `"${user}"`, "the name of an erased user is left")
      }
    texts.forget(user)
    asking.forget(user)
    endpoints.forget()
    yield* administration.putManagedUser(workspace.id, user)
    yield* accounts.forget(user)
    if (polling === undefined) return
    yield* TestClock.adjust("45 seconds")
    assert.isTrue((yield* Fiber.join(polling)).isCompleted, "a poll never ended, for an account of it was erased")
  })

  /** Workers stand still while something else happens. */
  const pause = Effect.gen(function* () {
    yield* working.stop
    const { answerAll, comeOrGo, giveAway, publish, touch, write } = accounts
    for (const next of [touch, publish, write, comeOrGo, answerAll, giveAway]) yield* next
    // No delivery is written of what happened meanwhile.
    yield* endpoints.give
    yield* working.start
  })

  /** Some hours or days pass in which nothing happens. */
  const wait = Effect.gen(function* () {
    yield* working.stop
    yield* TestClock.adjust(chance.isOneIn(2) ? "23 hours" : "5 days")
    yield* sweeping.start
    yield* TestClock.adjust("1 second")
    yield* sweeping.stop
    yield* checkErased
    yield* working.start
    yield* TestClock.adjust("1 minute")
  })

  const { comeOrGo, leaveMidway, publish, touch, write } = accounts
  const { example, give, redeliver, replay, rotate } = endpoints
  const parts = [
    ...[comeOrGo, comeOrGo, leaveMidway, publish, touch, touch, touch, write, write, write, write],
    ...[example, give, give, redeliver, redeliver, replay, rotate, rotate, texts.step, texts.step, texts.step],
    ...[asking.poll, asking.poll, asking.backfill, exportOne, eraseUser, pause, wait]
  ]
  const check = Effect.gen(function* () {
    yield* checkLaws
    assert.deepStrictEqual(yield* (yield* UnreadCounters).compare({ repair: false }), [], "counters that are wrong")
    yield* accounts.check
    yield* asking.check
    yield* texts.check
    yield* endpoints.check
  })
  const step = Effect.gen(function* () {
    yield* chance.pick(parts) ?? write
  })
  return { chance, check, flood, step, wait, working, end: neighbours.end }
})

/** Not so many, that a seed of the whole system stays cheap. */
const steps = 24

/** In one of so many seeds much comes at once; in those of the whole system always. */
const flooded = 8

/**
 * Plays one seed of what customers do beside the traffic: accounts come and go, secrets are rotated, what was missed or sent
 * is asked for again, texts are kept, users exported and erased. Nothing fails here but what is refused, so that each answer
 * can be judged by itself.
 */
export const simulateUpkeep = (seed: number, plant: Plant<InboxPorts> = Layer.empty) =>
  Effect.gen(function* () {
    const { chance, check, end, flood, step, wait, working } = yield* makeTown(seed)
    for (let n = 0; n < steps; n++) {
      yield* step
      yield* TestClock.adjust(1_000 + chance.below(4_000))
      if (n % 6 === 5) {
        // What is being sent or settled is.
        yield* TestClock.adjust("20 seconds")
        yield* check
      }
    }
    if (seed % flooded === 3) yield* flood
    yield* wait
    yield* TestClock.adjust("3 minutes")
    yield* check
    yield* working.stop
    yield* end
    return yield* Clock.currentTimeMillis
  }).pipe(
    Effect.scoped,
    Effect.provide(
      Layer.mergeAll(layerInboxServices, ManagedUserExport.layer, layerTold).pipe(
        Layer.provideMerge(simulatedPorts(seed, plant))
      )
    ),
    Effect.provide(TestClock.layer()),
    // How long is waited before something is tried again.
    Random.withSeed(seed),
    afresh
  )
