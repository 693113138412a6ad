import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import type { InboxEvent } from "@loopbox/core/items/InboxEvent"
import { InboxEvents } from "@loopbox/core/feed/InboxEvents"
import { nextSyncId, nextWorkspaceId } from "@loopbox/core/kernel/Ids"
import { edited, inboxItemOf, noon, posted } from "../fixtures/activities.ts"
import {
  connect,
  eventsAfter,
  inboxEpoch,
  type InboxPorts,
  inboxWorld,
  ingest,
  makeInboxWorkspace,
  newAccount,
  sealAs
} from "../fixtures/inboxFixtures.ts"

const syncDone = Effect.gen(function* () {
  const syncId = yield* nextSyncId(yield* SecureRandom)
  const event: InboxEvent = { _tag: "SyncCompleted", externalUserId: Option.some("u1"), syncId, newItems: 3 }
  return event
})

/** What every adapter of the port InboxEvents does. */
export const inboxEventsContract = <E>(adapter: string, stores: Layer.Layer<InboxPorts, E>) =>
  layer(inboxWorld(stores))(`InboxEvents: ${adapter}`, (it) => {
    it.effect("numbers the events of each workspace from 1 on, whoever writes them", () =>
      Effect.gen(function* () {
        const events = yield* InboxEvents
        const [here, there] = [yield* makeInboxWorkspace(), yield* makeInboxWorkspace()]
        const account = yield* connect(here.id)
        assert.deepStrictEqual(yield* events.range(here.id), { last: 0, removed: 0 })
        const event = yield* syncDone
        yield* events.publish(here.id, [event], noon)
        yield* ingest(account, [posted()])
        yield* events.publish(there.id, [event, event], noon)
        assert.deepStrictEqual(
          (yield* eventsAfter(here.id)).map(({ event, seq }) => [seq, event._tag]),
          [
            [1, "SyncCompleted"],
            [2, "NewItem"]
          ]
        )
        assert.deepStrictEqual(yield* events.range(there.id), { last: 2, removed: 0 })
        const unknown = yield* nextWorkspaceId(yield* SecureRandom)
        const last = yield* events.lastOf([here.id, there.id, unknown])
        assert.deepStrictEqual(
          [here.id, there.id, unknown].map((id) => last.get(id) ?? 0),
          [2, 2, 0]
        )
      })
    )

    it.effect("gives back what was written, above a number and in pages", () =>
      Effect.gen(function* () {
        const events = yield* InboxEvents
        const { id } = yield* makeInboxWorkspace()
        const written = [yield* syncDone, yield* syncDone, yield* syncDone]
        yield* events.publish(id, written, noon)
        const page = yield* events.read(id, 1, 1)
        const event = written[1] ?? assert.fail()
        assert.deepStrictEqual(page, {
          last: 3,
          removed: 0,
          anchor: Option.some(noon),
          events: [{ seq: 2, workspaceId: id, at: noon, event, owner: Option.none(), isShown: true }],
          unreadable: [],
          jobEnds: []
        })
        const nothing = { last: 3, removed: 0, events: [], unreadable: [], jobEnds: [] }
        assert.deepStrictEqual(yield* events.read(id, 3, 10), { ...nothing, anchor: Option.some(noon) })
        assert.deepStrictEqual(yield* events.read(id, 4, 10), { ...nothing, anchor: Option.none() })
        const unknown = yield* nextWorkspaceId(yield* SecureRandom)
        assert.deepStrictEqual(yield* events.read(unknown, 0, 10), { ...nothing, last: 0, anchor: Option.none() })
      })
    )

    it.effect("keeps an item in an event as it was then", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInboxWorkspace()
        const account = yield* connect(id)
        yield* ingest(account, [posted({ body: "first" })])
        yield* ingest(account, [edited(1, "second")])
        const bodies = (yield* eventsAfter(id)).map(({ event }) => inboxItemOf(event)?.body)
        assert.deepStrictEqual(bodies, ["first", "second"])
      })
    )

    it.effect("says of each event whether its account is shown now", () =>
      Effect.gen(function* () {
        const [accounts, events] = [yield* SocialAccounts, yield* InboxEvents]
        const { id } = yield* makeInboxWorkspace()
        const [gone, kept] = [
          yield* connect(id, { networkAccountId: "gone" }),
          yield* connect(id, { networkAccountId: "kept" })
        ]
        yield* ingest(gone, [posted()])
        yield* ingest(kept, [posted()])
        yield* events.publish(id, [yield* syncDone], noon)
        const shown = Effect.map(eventsAfter(id), (all) => all.map(({ event, isShown }) => `${event._tag} ${isShown}`))
        yield* accounts.disconnect(id, gone.id, noon)
        const others = ["NewItem true", "SyncCompleted true"]
        const ended = ["AccountMoved", "AccountDisconnected"]
        assert.deepStrictEqual(yield* shown, ["NewItem false", ...others, ...ended.map((tag) => `${tag} false`)])
        const again = yield* newAccount(id, { networkAccountId: "gone" })
        yield* accounts.connect(again, sealAs("s"), DateTime.subtract(noon, { days: 7 }))
        const all = ["NewItem", ...ended, "AccountMoved", "AccountConnected"].map((tag) => `${tag} true`)
        assert.deepStrictEqual(yield* shown, [...all.slice(0, 1), ...others, ...all.slice(1)])
      })
    )

    it.effect("tells of a workspace with new events", () =>
      Effect.gen(function* () {
        const events = yield* InboxEvents
        const { id } = yield* makeInboxWorkspace()
        const told = yield* events.changes.pipe(
          Stream.filter((workspaceId) => workspaceId === id),
          Stream.runHead,
          Effect.forkChild({ startImmediately: true })
        )
        const event = yield* syncDone
        // The subscriber may still be connecting and may miss events, so events are published until it is notified.
        yield* events
          .publish(id, [event], noon)
          .pipe(Effect.andThen(Effect.yieldNow), Effect.forever, Effect.raceFirst(Fiber.join(told)))
        assert.isTrue((yield* events.range(id)).last > 0)
      })
    )

    it.effect("removes what is older, and says up to which number", () =>
      Effect.gen(function* () {
        const events = yield* InboxEvents
        const now = yield* inboxEpoch
        const { id } = yield* makeInboxWorkspace(now)
        yield* events.publish(id, [yield* syncDone, yield* syncDone], now)
        yield* events.publish(id, [yield* syncDone], DateTime.add(now, { hours: 1 }))
        while ((yield* events.removeOlder(DateTime.add(now, { minutes: 1 }), 1)) > 0);
        assert.deepStrictEqual(yield* events.range(id), { last: 3, removed: 2 })
        assert.deepStrictEqual(
          (yield* eventsAfter(id)).map(({ seq }) => seq),
          [3]
        )
      })
    )
  })
