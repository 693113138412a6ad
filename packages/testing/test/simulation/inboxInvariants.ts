import { assert } from "@effect/vitest"
import { Effect, Equal, Option } from "effect"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { InboxEvents } from "@loopbox/core/feed/InboxEvents"
import { InboxStore } from "@loopbox/core/inbox/InboxStore"
import { UnreadCounters } from "@loopbox/core/inbox/UnreadCounters"
import type { RoutedEvent } from "@loopbox/core/items/InboxEvent"
import { inboxItemOf } from "../../src/fixtures/activities.ts"
import { walk } from "../../src/fixtures/inboxFixtures.ts"
import type { InboxTown } from "./InboxWorld.ts"

/** What must hold at every moment, whatever is under way. */
export const checkAlways = Effect.fnUntraced(function* (town: InboxTown) {
  const store = yield* InboxStore
  const accounts = yield* SocialAccounts
  assert.deepStrictEqual(yield* (yield* UnreadCounters).compare({ repair: false }), [], "counters that are wrong")
  for (const [viewer, caller] of town.callers) {
    const items = yield* walk(caller, { limit: 7 })
    const unread = items.filter(({ isOwn, isRead }) => !isRead && !isOwn).length
    assert.strictEqual(yield* store.countUnread(caller), unread, "unread items in pages, and in the counter")
    const owners = new Map<string, Option.Option<string>>()
    for (const { accountId, account, externalId, isOwn, isRead } of items) {
      if (isOwn && !isRead) assert.fail(`${externalId} is one's own, and waits to be read`)
      const owner =
        owners.get(accountId) ??
        Option.getOrThrow(yield* accounts.find(caller.scope.workspaceId, accountId)).externalUserId
      owners.set(accountId, owner)
      if (!Equal.equals(account.externalUserId, owner))
        assert.deepStrictEqual(account.externalUserId, owner, "whose the account is")
      if (viewer !== undefined && !Option.contains(owner, viewer))
        assert.deepStrictEqual(owner, Option.some(viewer), "a page shows another's")
    }
  }
})

/** The texts that must be there: independent of how ingest decides, from everything that was ever delivered. */
const expectedOf = (town: InboxTown): ReadonlyArray<string> =>
  Array.from(town.told).flatMap(([account, told]) => {
    const ids = new Set(told.map(({ externalId }) => externalId))
    const deleted = new Set(told.flatMap(({ _tag, externalId }) => (_tag === "Deleted" ? [externalId] : [])))
    return Array.from(ids).flatMap((externalId) => {
      const of = told.filter((activity) => activity.externalId === externalId)
      // By its id, or by that of an edit which is known to be its own.
      const names = of.flatMap((activity) => {
        const whole = activity._tag === "Edited" ? Option.getOrUndefined(activity.whole) : activity
        return whole?._tag === "Posted" ? [externalId, whole.replyTargetId] : [externalId]
      })
      const isDeleted = names.some((name) => deleted.has(name))
      const isThere = of.some((a) => a._tag === "Posted" || (a._tag === "Edited" && Option.isSome(a.whole)))
      if (isDeleted || !isThere) return []
      const version = Math.max(...of.map((a) => (a._tag === "Edited" || a._tag === "Posted" ? a.version : 0)))
      const hidings = of.flatMap((a) => (a._tag === "HiddenChanged" ? [a] : []))
      const newest = hidings.sort((a, b) => b.version - a.version)[0]
      const root = Number(externalId.split("-")[1]) % 3
      return [
        `${externalId}, version ${version === 0 ? "Hello" : version}, in ${account}-${root}${newest?.isHidden === true ? ", hidden" : ""}`
      ]
    })
  })

/** What is told of accounts since they are a user's. */
const sinceOwned = (log: ReadonlyArray<RoutedEvent>, own: ReadonlySet<string>) => {
  const moved = new Map<string, number>()
  for (const { event, seq } of log) if (event._tag === "AccountMoved") moved.set(event.accountId, seq)
  return log.filter(
    ({ event, seq }) =>
      "accountId" in event &&
      own.has(event.accountId) &&
      event._tag !== "AccountMoved" &&
      seq > (moved.get(event.accountId) ?? 0)
  )
}

/** What must hold when every delivery is done and every listener has heard. */
export const checkAtRest = Effect.fnUntraced(function* (town: InboxTown) {
  const whole = town.callers.get(undefined) ?? assert.fail("no workspace scope")
  const { workspaceId } = whole.scope
  const accounts = yield* SocialAccounts
  const ofTown = new Set<string>(town.accounts.map(({ id }) => id))
  const items = (yield* walk(whole)).filter(({ accountId }) => ofTown.has(accountId))
  const pages = new Map<string, string>(town.accounts.map(({ id, networkAccountId }) => [id, networkAccountId]))
  for (const { accountId, externalId } of items)
    assert.strictEqual(externalId.split("-")[0], pages.get(accountId), `the page of ${externalId}`)
  const texts = items.map(({ body, externalId, isHidden, threadKey }) => {
    const version = /version (\d)$/.exec(body)?.[1] ?? body
    return `${externalId}, version ${version === "0" ? "Hello" : version}, in ${threadKey}${isHidden ? ", hidden" : ""}`
  })
  assert.deepStrictEqual(texts.sort(), [...expectedOf(town)].sort(), "items and what was delivered")

  const { events: log, jobEnds } = yield* (yield* InboxEvents).read(workspaceId, 0, 100_000)
  const numbered = [...log, ...jobEnds].map(({ seq }) => seq)
  assert.deepStrictEqual(
    numbered.sort((a, b) => a - b),
    Array.from(numbered, (_, n) => n + 1),
    "numbers of events"
  )
  const births = log.flatMap(({ event }) =>
    event._tag === "NewItem" ? [`${event.accountId} ${event.item.externalId}`] : []
  )
  const born = new Set(births)
  assert.strictEqual(born.size, births.length, "an item was born twice")
  for (const { accountId, externalId } of items)
    assert.isTrue(born.has(`${accountId} ${externalId}`), `no event told of it: ${externalId}`)

  for (const { heard, viewer } of town.listeners) {
    const seqs = heard.map(({ seq }) => seq)
    assert.deepStrictEqual(
      seqs,
      Array.from(new Set(seqs)).sort((a, b) => a - b),
      "a listener heard twice, or out of order"
    )
    if (viewer === undefined) {
      assert.deepStrictEqual(
        seqs,
        log.map(({ seq }) => seq),
        "a listener did not hear all"
      )
      continue
    }
    const numbers = new Set(seqs)
    const own = new Set<string>()
    for (const { id } of town.accounts) {
      const account = Option.getOrThrow(yield* accounts.find(workspaceId, id))
      if (Option.contains(account.externalUserId, viewer)) own.add(id)
    }
    for (const { seq } of sinceOwned(log, own))
      assert.isTrue(numbers.has(seq), `a listener did not hear event ${seq} of an account of theirs`)
    for (const { event, externalUserId } of heard) {
      if (!Option.contains(externalUserId, viewer)) assert.fail(`${viewer} heard another's`)
      const item = inboxItemOf(event)
      if (item !== undefined && !Option.contains(item.account.externalUserId, viewer))
        assert.fail(`${viewer} heard of an item of another's`)
    }
  }
})
