import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import type { EntitledCaller } from "@loopbox/core/access/EntitledCaller"
import { Moderations } from "@loopbox/core/moderation/Moderations"
import { OutcomeUnknown, RateLimited, Rejected, Unavailable } from "@loopbox/core/networks/ConnectorErrors"
import type { NetworkModerate } from "@loopbox/core/networks/moderating/NetworkModerate"
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
  /** What was asked for of each item: nothing else may have been done with it. */
  const asked = new Map<string, Set<string>>()
  /** Items with something that is not answered yet, or was left open: what became of it is the network's to say. */
  const open = new Set<string>()
  /** Answered to be gone: they never come back. */
  const deleted = new Set<string>()
  const likes = new Map<string, boolean>()
  const violations: Array<string> = []

  const act: NetworkModerate["act"] = Effect.fnUntraced(function* (_access, { externalId }, moderation) {
    const fate = weather.isFair ? 9 : chance.below(12)
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
    if (fate === 5 || fate === 6) return yield* new OutcomeUnknown(about)
    if (fate === 7) return yield* Effect.never
  })
  networks.script = { ...networks.script, act }

  const step = Effect.gen(function* () {
    const all = yield* walk(caller)
    const item = chance.pick(all.filter(({ externalId, source }) => source === "ig_comment" && isPolled(externalId)))
    if (item === undefined) return
    const { externalId, id } = item
    const moderation = chance.pick(["hide", "hide", "unhide", "unhide", "like", "unlike", "delete"] as const) ?? "hide"
    asked.set(externalId, new Set([...(asked.get(externalId) ?? []), moderation]))
    const isAlone = !open.has(externalId)
    open.add(externalId)
    const work = Effect.gen(function* () {
      if (moderation === "delete") {
        yield* moderations.delete(caller, id)
        deleted.add(externalId)
        return
      }
      const answered = yield* moderations.act(caller, id, moderation)
      if (!isAlone) return
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

  /** What must hold at every moment, whatever is under way. */
  const check = Effect.gen(function* () {
    assert.isEmpty(violations, violations.slice(0, 5).join("; "))
    for (const { externalId, isLiked } of yield* walk(caller)) {
      assert.isFalse(deleted.has(externalId), `${externalId} was deleted, and is there`)
      if (open.has(externalId)) continue
      assert.strictEqual(isLiked, likes.get(externalId) ?? false, `whether ${externalId} is liked`)
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
