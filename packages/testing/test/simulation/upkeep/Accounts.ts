import { assert } from "@effect/vitest"
import { Clock, DateTime, Effect, Fiber, Option } from "effect"
import { TestClock } from "effect/testing"
import { AccountAdministration, revivableFor } from "@loopbox/core/access/AccountAdministration"
import type { EntitledCaller } from "@loopbox/core/access/EntitledCaller"
import { WorkspaceScope } from "@loopbox/core/access/InboxScope"
import { Inbox } from "@loopbox/core/inbox/Inbox"
import type { InboxItem } from "@loopbox/core/items/InboxItem"
import type { SocialAccountId } from "@loopbox/core/kernel/Ids"
import { Rejected } from "@loopbox/core/networks/ConnectorErrors"
import { Posts } from "@loopbox/core/posts/Posts"
import { Replies } from "@loopbox/core/replies/Replies"
import { Sync } from "@loopbox/core/sync/Sync"
import { Threads } from "@loopbox/core/threads/Threads"
import { Webhooks } from "@loopbox/core/webhooks/Webhooks"
import type { Workspace } from "@loopbox/core/workspaces/Workspace"
import { FakeNetworks } from "../../../src/fakes/FakeConnector.ts"
import type { FakeFeeds } from "../../../src/fakes/fakeFeeds.ts"
import { posted } from "../../../src/fixtures/activities.ts"
import { walk } from "../../../src/fixtures/inboxFixtures.ts"
import { walkThreads } from "../../../src/fixtures/threadFixtures.ts"
import { connectAccount } from "../../../src/layers/inboxLayers.ts"
import type { Chance } from "../Chance.ts"

/** Pages that are connected and disconnected, each with what is written on it. */
export const pages = [
  { page: "i1", network: "instagram", source: "ig_comment" },
  { page: "f1", network: "facebook", source: "fb_comment" },
  { page: "x1", network: "x", source: "x_reply" }
] as const
type PageName = (typeof pages)[number]["page"]

/** What a page's account is, and what it had when it was disconnected. */
export interface Place {
  accountId: SocialAccountId
  owner: string | undefined
  /** Absent while it is connected. */
  gone: { readonly at_ms: number; readonly had: ReadonlyArray<string> } | undefined
}

/** A target that says what its post says. */
export const targetTo = (accountId: SocialAccountId) => ({
  accountId,
  text: Option.none<string>(),
  mediaIds: Option.none<ReadonlyArray<string>>(),
  firstComment: Option.none<string>(),
  options: { values: {}, altTexts: {} }
})

/** How long a worker may go on with what it had begun for an account. */
const staleFor_ms = 12_000

const revivable_ms = revivableFor.days * 24 * 3_600_000

/** Accounts that come and go amid what waits for them. */
export const makeAccounts = Effect.fnUntraced(function* (
  chance: Chance,
  workspace: Workspace,
  callers: ReadonlyMap<string | undefined, EntitledCaller>,
  whole: EntitledCaller,
  feeds: FakeFeeds
) {
  const administration = yield* AccountAdministration
  const networks = yield* FakeNetworks
  const [inbox, threads, replies, posts] = [yield* Inbox, yield* Threads, yield* Replies, yield* Posts]
  const [webhooks, sync] = [yield* Webhooks, yield* Sync]
  const places = new Map<PageName, Place>()
  /** Ids of accounts that another one has taken the place of, or whose time is over. */
  const over = new Set<string>()
  const violations: Array<string> = []
  /** Of each comment: what was sent as its private reply. */
  const privately = new Map<string, string>()
  /** Of each answer that a managed user asked for: who it was. */
  const askedBy = new Map<string, string>()
  let written = 0

  /** Every call of a network names an account that is connected, or was when its work began. */
  const judgeCall = (what: string, page: string) =>
    Effect.map(Clock.currentTimeMillis, (now_ms) => {
      const found = pages.find((one) => one.page === page)
      const gone = found === undefined ? undefined : places.get(found.page)?.gone
      if (gone !== undefined && now_ms - gone.at_ms > staleFor_ms)
        violations.push(`${what} in the name of ${page}, which is disconnected`)
    })
  feeds.before = (request, { networkAccountId }) =>
    Effect.andThen(
      judgeCall(request, networkAccountId),
      Effect.suspend(() => (chance.isOneIn(3) ? Effect.sleep(chance.below(3_000)) : Effect.void))
    )
  /** Nobody answers in the name of an account that is another's by now. */
  const judgeOwner = (page: string, text: string) => {
    const place = Array.from(places).find(([name]) => name === page)?.[1]
    const user = askedBy.get(text)
    if (user !== undefined && place !== undefined && place.owner !== user)
      violations.push(`${user} answers in the name of ${page}, which is another's`)
  }
  const refused = (network: "instagram" | "facebook") =>
    new Rejected({ network, networkCode: Option.none(), detail: "", reason: "blocked" })
  networks.script = {
    ...networks.script,
    sendReply: ({ networkAccountId }, { target, text, source }) =>
      Effect.flatMap(judgeCall("a reply", networkAccountId), () => {
        judgeOwner(networkAccountId, text)
        if (chance.isOneIn(3)) return Effect.fail(refused("facebook"))
        const own = { source, account: networkAccountId, externalId: `own-${++written}`, threadKey: target.threadKey }
        return Effect.map(DateTime.now, (receivedAt) => ({
          posted: posted({ ...own, body: text, isOwn: true, receivedAt, author: { id: Option.some("page") } })
        }))
      }),
    findReply: () => Effect.succeed({ _tag: "Candidates", posted: [] }),
    replyPrivately: ({ networkAccountId }, { authorId, externalId, operationId, text }) =>
      Effect.flatMap(judgeCall("a private reply", networkAccountId), () => {
        judgeOwner(networkAccountId, text)
        const before = privately.get(externalId)
        if (before !== undefined && before !== operationId) violations.push(`${externalId} has two private replies`)
        privately.set(externalId, operationId)
        const threadKey = Option.getOrElse(authorId, () => externalId)
        const own = { source: "ig_dm" as const, account: networkAccountId, externalId: `own-${++written}`, threadKey }
        return Effect.map(DateTime.now, (receivedAt) => ({
          posted: posted({ ...own, body: text, isOwn: true, receivedAt, author: { id: Option.some("page") } })
        }))
      })
  }
  networks.publish = {
    quota: () => Effect.succeedNone,
    prepare: () => Effect.succeed({ _tag: "Ready", preparation: {} }),
    publish: ({ networkAccountId }) =>
      Effect.andThen(judgeCall("a post", networkAccountId), Effect.fail(refused("facebook")))
  }

  const connect = Effect.fnUntraced(function* (page: PageName, network: (typeof pages)[number]["network"]) {
    const owner = chance.pick(Array.from(callers.keys()))
    const account = yield* connectAccount(workspace.id, {
      network,
      networkAccountId: page,
      username: Option.some(`name_of_${page}`),
      externalUserId: Option.fromUndefinedOr(owner)
    })
    const place = places.get(page)
    const now_ms = yield* Clock.currentTimeMillis
    const isRevived = place?.gone !== undefined && now_ms - place.gone.at_ms < revivable_ms
    if (place !== undefined && place.accountId !== account.id) over.add(place.accountId)
    if (place?.gone !== undefined) {
      assert.strictEqual(account.id === place.accountId, isRevived, `whether ${page} is the account that it was`)
      assert.deepStrictEqual(yield* hasOf(account.id), isRevived ? place.gone.had : [], `what ${page} has again`)
    }
    places.set(page, { accountId: account.id, owner, gone: undefined })
  })

  /** What an account has, in a line for each item and each thread. */
  const hasOf = Effect.fnUntraced(function* (id: SocialAccountId) {
    const items = (yield* walk(whole)).filter(({ accountId }) => accountId === id)
    const shown = (yield* walkThreads(whole)).filter(({ accountId }) => accountId === id)
    return [
      ...items.map(({ body, externalId, isRead }) => `${externalId}: ${body} ${isRead ? "read" : "unread"}`),
      ...shown.map(({ labels, status, threadKey }) => `${threadKey}: ${status} ${labels.join()}`)
    ].sort()
  })

  for (const { network, page } of pages) yield* connect(page, network)

  const comeOrGo = Effect.gen(function* () {
    const chosen = chance.pick(pages)
    const place = chosen === undefined ? undefined : places.get(chosen.page)
    if (chosen === undefined || place === undefined) return
    if (place.gone !== undefined) return yield* connect(chosen.page, chosen.network)
    yield* leave(place)
  })

  const leave = Effect.fnUntraced(function* (place: Place) {
    const had = yield* hasOf(place.accountId)
    yield* administration.disconnect(workspace.id, place.accountId)
    place.gone = { at_ms: yield* Clock.currentTimeMillis, had }
  })

  /** An account is disconnected while it is polled: nothing of what is read comes after that. */
  const leaveMidway = Effect.gen(function* () {
    const place = places.get(chance.isOneIn(2) ? "i1" : "x1")
    if (place === undefined || place.gone !== undefined) return
    yield* write
    const asking = yield* Effect.forkScoped(sync.poll(whole))
    yield* TestClock.adjust(chance.below(3_000))
    yield* leave(place)
    yield* TestClock.adjust("30 seconds")
    const { id } = yield* Fiber.join(asking)
    yield* TestClock.adjust("2 minutes")
    assert.isTrue((yield* sync.find(whole, id)).isCompleted, "a poll whose account is disconnected never ended")
  })

  /** People write: where a network tells of it by webhooks, also of what is disconnected. */
  const write = Effect.gen(function* () {
    const { page, source } = chance.pick(pages) ?? pages[0]
    const now = yield* DateTime.now
    const all = Array.from({ length: 1 + chance.below(3) }, () =>
      posted({
        source,
        account: page,
        externalId: `${page}-${++written}`,
        threadKey: `${page}-${written % 2}`,
        post: "post",
        body: `text ${written}`,
        author: { id: Option.some(`author-${written % 2}`) },
        receivedAt: now
      })
    )
    if (page === "f1") return yield* webhooks.accept("meta", networks.toBody(all))
    feeds.items = [
      ...feeds.items,
      ...all.map((one) => ({ account: page, feed: page === "x1" ? page : "post", posted: one }))
    ]
  })

  /** Many people write at once, more than a page of anything has, to an account that a managed user has by then. */
  const flood = Effect.gen(function* () {
    const place = places.get("f1")
    const owner = Array.from(callers.keys()).find((user) => user !== undefined)
    if (place === undefined || owner === undefined) return
    if (place.gone !== undefined) yield* connect("f1", "facebook")
    const id = places.get("f1")?.accountId ?? place.accountId
    yield* administration.updateAccount(workspace.id, id, { externalUserId: Option.some(owner) })
    places.set("f1", { accountId: id, owner, gone: undefined })
    const now = yield* DateTime.now
    const all = Array.from({ length: 230 }, (_, n) =>
      posted({
        ...{
          source: "fb_comment",
          account: "f1",
          externalId: `f1-${++written}`,
          threadKey: `f1-${written % 12 === 0 ? 1 : 0}`
        },
        ...{ body: `text ${written}`, author: { id: Option.some(`author-${n % 9}`) }, receivedAt: now }
      })
    )
    yield* webhooks.accept("meta", networks.toBody(all))
  })

  /** An account becomes another's while somebody's answer may wait for its turn. */
  const giveAway = Effect.gen(function* () {
    const all = Array.from(callers.keys())
    for (const place of places.values()) {
      if (place.gone !== undefined) continue
      const owner = all[(all.indexOf(place.owner) + 1) % all.length]
      yield* administration.updateAccount(workspace.id, place.accountId, {
        externalUserId: Option.fromUndefinedOr(owner)
      })
      place.owner = owner
    }
  })

  /** Something is done with an item or its thread, answered or not. */
  const touch = Effect.gen(function* () {
    const caller = chance.pick(Array.from(callers.values()))
    const item = caller === undefined ? undefined : chance.pick((yield* walk(caller)).filter(({ isOwn }) => !isOwn))
    if (caller === undefined || item === undefined) return
    switch (chance.below(4)) {
      case 0:
        return yield* inbox.markRead(caller, item.id)
      case 1: {
        const thread = (yield* walkThreads(caller)).find((one) => one.threadKey === item.threadKey)
        return thread === undefined
          ? undefined
          : yield* threads.setLabels(caller, thread.id, [`label ${chance.below(2)}`])
      }
      case 2: {
        const request = { text: `private ${++written}`, idempotencyKey: Option.none() }
        noteAsker(request.text, caller)
        for (let n = 0; n < 2; n++)
          yield* Effect.forkScoped(Effect.ignore(replies.replyPrivately(caller, item.id, request)))
        return
      }
      default:
        if (item.source === "x_reply") return
        // Who answers is often done with it: what is sent then brings nothing back.
        if (chance.isOneIn(2)) yield* resolve(caller, item)
        return yield* answer(caller, item)
    }
  })

  const resolve = Effect.fnUntraced(function* (caller: EntitledCaller, { threadKey }: InboxItem) {
    const thread = (yield* walkThreads(caller)).find((one) => one.threadKey === threadKey)
    if (thread !== undefined) yield* threads.setState(caller, thread.id, { status: "resolved", assignedTo: undefined })
  })
  const noteAsker = (text: string, { scope }: EntitledCaller) => {
    if (scope._tag === "ManagedUserScope") askedBy.set(text, scope.externalUserId)
  }
  const answer = Effect.fnUntraced(function* (caller: EntitledCaller, { id }: Pick<InboxItem, "id">) {
    const request = { text: `answer ${++written}`, idempotencyKey: Option.none() }
    noteAsker(request.text, caller)
    yield* Effect.forkScoped(Effect.ignore(replies.reply(caller, id, request)))
  })
  /** Each managed user answers something at once. */
  const answerAll = Effect.gen(function* () {
    for (const caller of callers.values()) {
      const item = (yield* walk(caller)).find(({ isOwn, source }) => !isOwn && source !== "x_reply")
      if (item !== undefined && caller.scope._tag === "ManagedUserScope") yield* answer(caller, item)
    }
    yield* Effect.yieldNow
  })

  const publish = Effect.gen(function* () {
    const place = places.get("f1")
    if (place?.gone !== undefined || place === undefined) return
    // To both, mostly: they may be of different users, and one of them is erased before the other.
    const other = chance.isOneIn(3) ? undefined : places.get("x1")
    const all = other === undefined || other.gone !== undefined ? [place] : [place, other]
    const scheduledAt = Option.some(DateTime.add(yield* DateTime.now, { seconds: 60 + chance.below(60) }))
    const input = {
      text: Option.some(`Post ${++written}`),
      mediaIds: [],
      targets: all.map(({ accountId }) => targetTo(accountId)),
      scheduledAt,
      isDraft: false
    }
    yield* posts.submit(new WorkspaceScope({ workspaceId: workspace.id }), input, Option.none())
  })

  /** Nobody sees anything of an account that is disconnected, and everybody what is theirs. */
  const check = Effect.gen(function* () {
    assert.isEmpty(violations, violations.slice(0, 5).join("; "))
    for (const [user, caller] of callers) {
      const seen = new Set(
        [...(yield* walk(caller)), ...(yield* walkThreads(caller))].map(({ accountId }) => accountId)
      )
      for (const { accountId, gone, owner } of places.values()) {
        if (gone !== undefined) assert.isFalse(seen.has(accountId), "an account that is disconnected is shown")
        if (user !== undefined && owner !== user) assert.isFalse(seen.has(accountId), "an account is shown to another")
      }
    }
  })
  const forget = Effect.fnUntraced(function* (user: string) {
    for (const [page, { accountId, owner }] of Array.from(places)) {
      if (owner !== user) continue
      over.add(accountId)
      places.delete(page)
      yield* connect(page, pages.find((one) => one.page === page)?.network ?? "x")
    }
  })
  /** Ids that must be nowhere any more, but for what is kept of what was done with them. */
  const erasedIds = Effect.map(Clock.currentTimeMillis, (now_ms) => {
    const late = Array.from(places.values()).filter(
      ({ gone }) => gone !== undefined && now_ms - gone.at_ms > revivable_ms
    )
    return [...over, ...late.map(({ accountId }) => accountId)]
  })
  return { places, comeOrGo, leaveMidway, flood, giveAway, answerAll, write, touch, publish, check, forget, erasedIds }
})

export type Accounts = Effect.Success<ReturnType<typeof makeAccounts>>
