import { posted } from "@loopbox/testing/fixtures/activities"
import {
  connect,
  ingest,
  inboxWorld,
  listed,
  makeInboxWorkspace,
  scopeOf
} from "@loopbox/testing/fixtures/inboxFixtures"
import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { layerStores } from "../../testDatabase.ts"

const by = (id: string, externalId: string) =>
  posted({ externalId, author: { id: Option.some(id), name: Option.none(), username: Option.none() } })

layer(inboxWorld(layerStores()))("Ids that PostgreSQL can't keep as they are", (it) => {
  for (const [what, odd] of [
    ["U+0000", "a\u0000b"],
    ["a lone surrogate", "a\ud83d"]
  ] as const) {
    it.effect(`${what} in the id of an author who writes twice`, () =>
      Effect.gen(function* () {
        const { id } = yield* makeInboxWorkspace()
        const account = yield* connect(id)
        for (const externalId of ["c1", "c2"]) yield* ingest(account, [by(odd, externalId)])
        assert.deepStrictEqual((yield* listed(scopeOf(id))).toSorted(), ["c1", "c2"])
      })
    )

    it.effect(`${what} in the id of an item that comes twice`, () =>
      Effect.gen(function* () {
        const { id } = yield* makeInboxWorkspace()
        const account = yield* connect(id)
        const come = ingest(account, [posted({ externalId: odd, threadKey: "t" })])
        assert.deepStrictEqual([(yield* come).created, (yield* come).created], [1, 0])
        assert.strictEqual((yield* listed(scopeOf(id))).length, 1)
      })
    )

    it.effect(`${what} in the key of a thread that goes on`, () =>
      Effect.gen(function* () {
        const { id } = yield* makeInboxWorkspace()
        const account = yield* connect(id)
        for (const externalId of ["c1", "c2"]) yield* ingest(account, [posted({ externalId, threadKey: odd })])
        assert.deepStrictEqual((yield* listed(scopeOf(id))).toSorted(), ["c1", "c2"])
      })
    )
  }
})
