import { assert } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import type { EntitledCaller } from "@loopbox/core/access/EntitledCaller"
import { Moderations } from "@loopbox/core/moderation/Moderations"
import { OutcomeUnknown, RateLimited, Rejected, Unavailable } from "@loopbox/core/networks/ConnectorErrors"
import { Deleted, HiddenChanged, type Posted } from "@loopbox/core/networks/InboundActivity"
import type { Moderation, NetworkModerate } from "@loopbox/core/networks/moderating/NetworkModerate"
import type { InboxItem } from "@loopbox/core/items/InboxItem"
import { Webhooks } from "@loopbox/core/webhooks/Webhooks"
import { FakeNetworks } from "../../../src/fakes/FakeConnector.ts"
import { walk } from "../../../src/fixtures/inboxFixtures.ts"
import type { Chance } from "../Chance.ts"
import type { Polling } from "./Polling.ts"

const about = { network: "instagram", networkCode: Option.none(), detail: "" } as const

/** People hide, like and delete what was polled; the network may lose what it is asked, its answer, or take long. */
export const makeModerating = Effect.fnUntraced(function* (
  chance: Chance,
  weather: { readonly isFair: boolean },
  caller: EntitledCaller,
  { early, feeds }: Polling
) {
  const networks = yield* FakeNetworks
  const moderations = yield* Moderations
  const webhooks = yield* Webhooks
  const scope = yield* Effect.scope
  /** What was asked for of each item: nothing else may have been done with it. */
  const asked = new Map<string, Set<string>>()
  /** Items with something that is not answered yet, or was left open: what became of it is the network's to say. */
  const open = new Set<string>()
  /** How much was asked for of each item. */
  const count = new Map<string, number>()
  /** Answered to be gone: they never come back. */
  const deleted = new Set<string>()
  const likes = new Map<string, boolean>()
  const violations: Array<string> = []

  let versions = 0
  /** The network tells of what it did, late, twice or in another order; sometimes of the item as it was first. */
  const echo = Effect.fnUntraced(function* (posted: Posted, moderation: Moderation) {
    const asOf = yield* DateTime.now
    const told =
      moderation === "delete"
        ? new Deleted(posted)
        : new HiddenChanged({ ...posted, isHidden: moderation === "hide", version: ++versions, asOf })
    const isTold = moderation !== "like" && moderation !== "unlike"
    const activities = chance.isOneIn(3) ? [posted] : isTold ? [told] : []
    if (activities.length === 0) return
    const accept = Effect.suspend(() => webhooks.accept("meta", networks.toBody(activities)))
    for (let n = 0; n < 1 + chance.below(2); n++)
      yield* Effect.forkIn(Effect.delay(Effect.ignore(accept), chance.below(60_000)), scope)
  })

  const act: NetworkModerate["act"] = Effect.fnUntraced(function* (_access, { externalId }, moderation) {
    const fate = weather.isFair ? 9 : chance.below(12)
    if (fate === 1 || fate === 3 || (fate >= 5 && fate <= 7)) chance.note("a moderation's answer is lost")
    if (fate === 0) return yield* new Unavailable({ ...about, reason: "upstream" })
    if (fate === 1) return yield* new OutcomeUnknown(about)
    if (fate === 2) return yield* new RateLimited({ ...about, retryAt: Option.none() })
    if (fate === 3) return yield* Effect.never
    if (fate === 4) yield* Effect.sleep(chance.below(25_000))
    if (asked.get(externalId)?.has(moderation) !== true) violations.push(`nobody asked to ${moderation} ${externalId}`)
    const item = feeds.items.find(({ posted }) => posted.externalId === externalId)
    if (item === undefined && moderation !== "delete") return yield* new Rejected({ ...about, reason: "gone" })
    if (moderation === "delete") feeds.items = feeds.items.filter((one) => one !== item)
    if (moderation === "hide" || moderation === "unhide")
      feeds.items = feeds.items.map((one) => (one === item ? { ...one, isHidden: moderation === "hide" } : one))
    if (item !== undefined) yield* echo(item.posted, moderation)
    if (fate === 5 || fate === 6) return yield* new OutcomeUnknown(about)
    if (fate === 7) return yield* Effect.never
  })
  networks.script = { ...networks.script, act }

  const moderateOne = Effect.fnUntraced(function* (item: InboxItem) {
    const { externalId, id } = item
    const moderation = chance.pick(["hide", "hide", "unhide", "unhide", "like", "unlike", "delete"] as const) ?? "hide"
    asked.set(externalId, new Set([...(asked.get(externalId) ?? []), moderation]))
    const isFirst = !open.has(externalId)
    open.add(externalId)
    const asks = (count.get(externalId) ?? 0) + 1
    count.set(externalId, asks)
    const work = Effect.gen(function* () {
      if (moderation === "delete") {
        yield* moderations.delete(caller, id)
        deleted.add(externalId)
        return
      }
      const answered = yield* moderations.act(caller, id, moderation)
      if (!isFirst || count.get(externalId) !== asks) return
      const isAsAsked =
        moderation === "like" || moderation === "unlike"
          ? answered.isLiked === (moderation === "like")
          : answered.isHidden === (moderation === "hide")
      if (!isAsAsked) violations.push(`${externalId} is not as the answer to ${moderation} says`)
      if (moderation === "like" || moderation === "unlike") likes.set(externalId, moderation === "like")
      open.delete(externalId)
    })
    yield* Effect.forkScoped(Effect.ignore(work))
  })

  const step = Effect.gen(function* () {
    const all = yield* walk(caller)
    const polled = all.filter(({ externalId, source }) => source === "ig_comment" && isPolled(externalId))
    // One to four, more of them ever less often.
    for (let n = 0; n <= chance.below(4); n++) {
      // What has just come is what a poll is reading again.
      const item = chance.pick(chance.isOneIn(4) ? polled : polled.slice(0, 8))
      if (item !== undefined) yield* moderateOne(item)
    }
  })

  /** What must hold at every moment, whatever is under way. */
  const check = Effect.gen(function* () {
    assert.isEmpty(violations, violations.slice(0, 5).join("; "))
    for (const { externalId, isHidden, isLiked } of yield* walk(caller)) {
      if (deleted.has(externalId)) assert.fail(`${externalId} was deleted, and is there`)
      if (open.has(externalId)) continue
      const there = feeds.items.find(({ posted }) => posted.externalId === externalId)
      // However old a poll's answer or a notification is that arrives now.
      if (isPolled(externalId) && there !== undefined && isHidden !== (there.isHidden ?? false))
        assert.fail(`${externalId} is not hidden or shown as it was asked for`)
      if (isLiked !== (likes.get(externalId) ?? false)) assert.fail(`whether ${externalId} is liked: ${isLiked}`)
    }
  })

  /** What must hold when the accounts were polled for long enough in fair weather: all that the networks have is here. */
  const checkAtRest = Effect.gen(function* () {
    yield* check
    const items = yield* walk(caller)
    const kept = new Map(items.map((item) => [item.externalId, item]))
    for (const { isHidden = false, posted } of feeds.items) {
      const { body, externalId } = posted
      if (early.has(externalId)) continue
      const item = kept.get(externalId) ?? assert.fail(`${externalId} is at its network, and was not polled`)
      assert.strictEqual(item.body, body, `the text of ${externalId}`)
      if (!open.has(externalId)) assert.strictEqual(item.isHidden, isHidden, `whether ${externalId} is hidden`)
    }
    const there = new Set(feeds.items.map(({ posted }) => posted.externalId))
    for (const { externalId } of items.filter((item) => isPolled(item.externalId)))
      assert.isTrue(there.has(externalId) || open.has(externalId), `${externalId} is no longer at its network`)
  })
  return { step, check, checkAtRest }
})

const isPolled = (externalId: string) => externalId.startsWith("polled-")
