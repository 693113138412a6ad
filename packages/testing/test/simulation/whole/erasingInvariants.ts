import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import { InboxEvents } from "@loopbox/core/feed/InboxEvents"
import { FakeNetworks } from "../../../src/fakes/FakeConnector.ts"
import { walk } from "../../../src/fixtures/inboxFixtures.ts"
import { type ErasingTown, sharedPage } from "./Erasing.ts"

/** Every text of what is stored, in quotes; also the names of members, and what maps and sets hold. */
export const asText = (kept: unknown): string => {
  const texts: Array<string> = []
  const read = (part: unknown): void => {
    if (typeof part === "string") texts.push(part)
    if (typeof part !== "object" || part === null || part instanceof Uint8Array) return
    if (Array.isArray(part) || part instanceof Set) return part.forEach(read)
    for (const [name, member] of part instanceof Map ? part : Object.entries(part)) {
      read(name)
      read(member)
    }
  }
  read(kept)
  return `"${texts.join('"\n"')}"`
}

/** All maps of a part of the state, by their names: one that is new is looked through, too. */
export const mapsOf = (part: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(part).filter(([, kept]) => kept instanceof Map))

/** By their names: all places that may hold something of an account or of a managed user. */
const placesOf = (state: MemoryState["Service"], { workspace: { id } }: ErasingTown) => {
  const { inbox } = state
  const log = inbox.logs.get(id)?.events ?? []
  // What is left of them is judged below; the log of the other workspace is not about them.
  const { deliveries: _told, logs: _logs, ...ofInbox } = mapsOf(inbox)
  return {
    ...mapsOf(state),
    ...ofInbox,
    ...mapsOf(inbox.outgoing),
    // That it moved away is what is told of an erased account; what a post of others, too, was stays told for a day.
    events: log.filter(
      ({ event }) => event._tag !== "AccountMoved" && !("post" in event && Option.isNone(event.externalUserId))
    ),
    deliveries: Array.from(inbox.outgoing.deliveries.values()).filter(
      ({ delivery }) => delivery.eventType !== "inbox.account_moved"
    ),
    audit: inbox.audit.kept.filter(({ workspaceId }) => workspaceId === id)
  }
}

/** What must hold at every moment, whatever is under way. */
export const checkErasing = Effect.fnUntraced(function* (town: ErasingTown) {
  const state = yield* MemoryState
  const networks = yield* FakeNetworks
  const { departed, present, violations, workspace } = town
  assert.isEmpty(violations, violations.slice(0, 5).join("; "))
  const places =
    departed.length === 0
      ? []
      : Object.entries(placesOf(state, town)).map(([name, kept]) => [name, asText(kept)] as const)
  const { events } = yield* (yield* InboxEvents).read(workspace.id, 0, 100_000)
  for (const { accountId, user } of departed) {
    for (const [name, text] of places) {
      // Audit says what was done with an account; of a person it keeps no name.
      if (name !== "audit" && text.includes(accountId)) assert.fail(`something of an erased account is left in ${name}`)
      if (text.includes(user)) assert.fail(`the name of an erased user is left in ${name}`)
    }
    const last = events.filter(({ event }) => "accountId" in event && event.accountId === accountId)
    const ends = last.filter(({ event }) => event._tag === "AccountMoved" && Option.isNone(event.to))
    assert.deepStrictEqual([last.length, ends.length], [1, 1], "an erased account leaves one event, that it is gone")
  }
  for (const { kept } of state.inbox.posts.values())
    assert.isTrue(kept.post.isDraft || kept.targets.length > 0, "a post is left without targets")
  for (const { delivery } of state.inbox.deliveries.values()) {
    for (const { route } of networks.normalise(delivery.body).activities) {
      const page = town.pages.find((one) => Option.contains(route.accountId, one))
      // What is also another workspace's stays for it.
      if (page === undefined || page === sharedPage || present.has(page)) continue
      const since = Math.max(0, ...departed.filter((one) => one.page === page).map(({ at }) => at))
      assert.isFalse(delivery.arrivedAt.epochMilliseconds < since, "a delivery still holds what was erased")
    }
  }
  for (const { account, caller } of present.values()) {
    for (const { accountId } of yield* walk(caller, { limit: 5 }))
      assert.strictEqual(accountId, account.id, "a visitor sees what is another's")
  }
})

/** What must hold besides when the weather was fair for long enough: who is there has all that was told of their page. */
export const checkErasingAtRest = Effect.fnUntraced(function* (town: ErasingTown) {
  const items = yield* walk(town.whole)
  const ids = new Set(Array.from(town.present.values(), ({ account }) => account.id))
  for (const { accountId } of items) assert.isTrue(ids.has(accountId), "an item of nobody")
  for (const { account, told } of town.present.values()) {
    const own = new Set(items.filter(({ accountId }) => accountId === account.id).map(({ externalId }) => externalId))
    for (const externalId of told) assert.isTrue(own.has(externalId), `${externalId} was told and is not there`)
  }
})
