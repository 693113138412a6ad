import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { IngestStore } from "@loopbox/core/inbox/IngestStore"
import { posted } from "../../fixtures/activities.ts"
import { type InboxPorts, inboxWorld, ingest } from "../../fixtures/inboxFixtures.ts"
import { syncWorld } from "../../fixtures/syncFixtures.ts"

/** Items that a list of the network has no longer. */
export const missingItemsSuite = <E>(adapter: string, stores: Layer.Layer<InboxPorts, E>) =>
  layer(inboxWorld(stores))(`IngestStore, missing items: ${adapter}`, (it) => {
    it.effect("tells which items a read should have shown, the newest first, of those that a list had before", () =>
      Effect.gen(function* () {
        const { add, later, workspaceId } = yield* syncWorld
        const account = yield* add()
        const at = (externalId: string, minute: number, threadKey = "t") =>
          posted({ externalId, threadKey, receivedAt: later(minute), post: "post" })
        const noPost = posted({ externalId: "e", threadKey: "t", receivedAt: later(2) })
        // It came by webhook first; only the list counts.
        yield* ingest(account, [at("a", 1), at("webhook alone", 5)])
        yield* ingest(account, [at("a", 1), at("b", 2), at("c", 3, "u"), at("d", 4), noPost], { polledAt: later(90) })
        const store = yield* IngestStore
        const expected: Parameters<typeof store.findMissing>[2][number] = {
          source: "ig_comment",
          by: "linkedPostId",
          values: ["post"],
          isListed: true,
          after: Option.none(),
          before: later(60),
          seen: [],
          size: Option.none()
        }
        const find = (change: Partial<typeof expected>, limit = 10) =>
          Effect.map(store.findMissing(workspaceId, account.id, [{ ...expected, ...change }], limit), ([found]) =>
            found?.items.map(({ externalId }) => externalId)
          )
        assert.deepStrictEqual(yield* find({}), ["d", "c", "b", "a"])
        assert.deepStrictEqual(yield* find({}, 1), ["d"])
        assert.deepStrictEqual(yield* find({ after: Option.some(later(1)), before: later(4) }), ["c", "b"])
        assert.deepStrictEqual(yield* find({ seen: ["a", "c", "x"] }), ["d", "b"])
        assert.deepStrictEqual((yield* find({ by: "threadKey", values: ["t", "v"] }))?.toSorted(), ["a", "b", "d", "e"])
        assert.deepStrictEqual(yield* find({ isListed: false }), [])
        assert.deepStrictEqual(yield* find({ isListed: false, values: [], seen: ["d"] }), ["c", "b", "a"])
        assert.deepStrictEqual(yield* find({ isListed: false, by: "threadKey", values: ["t", "v"] }), ["c"])
        assert.deepStrictEqual(yield* find({ source: "ig_dm" }), [])
        assert.deepStrictEqual(yield* store.findMissing(workspaceId, account.id, [], 10), [])
        const each = yield* store.findMissing(
          workspaceId,
          account.id,
          [
            { ...expected, source: "ig_dm" },
            expected,
            { ...expected, isListed: false, by: "threadKey", values: ["t"] }
          ],
          1
        )
        assert.deepStrictEqual(
          each.map(({ count, items }) => [count, items.map((item) => `${item.externalId} on ${item.hangsOn}`)]),
          [
            [0, []],
            [4, ["d on post"]],
            [1, ["c on u"]]
          ]
        )
      })
    )

    it.effect("takes an item that a list shows for the first time for no other than before", () =>
      Effect.gen(function* () {
        const { add, later } = yield* syncWorld
        const account = yield* add()
        const comment = (body: string) => posted({ body, receivedAt: later(0) })
        yield* ingest(account, [comment("one")])
        const shown = yield* ingest(account, [comment("one")], { polledAt: later(1) })
        assert.deepStrictEqual([shown.changed, shown.events], [new Set(), 0])
        const edited = yield* ingest(account, [comment("other")], { polledAt: later(2) })
        assert.deepStrictEqual([edited.changed, edited.events], [new Set(["ig_comment c1"]), 1])
      })
    )
  })
