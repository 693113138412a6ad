import { posted } from "@loopbox/testing/fixtures/activities"
import { connect, ingest, makeInboxWorkspace } from "@loopbox/testing/fixtures/inboxFixtures"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { Statement } from "effect/sql"
import { layerStores } from "../../testDatabase.ts"

layer(Layer.merge(layerStores(), SecureRandom.layerWebCrypto))("An ingest", (it) => {
  it.effect("reads the people, the threads and the posts that a unit names in one statement", () =>
    Effect.gen(function* () {
      const { id } = yield* makeInboxWorkspace()
      const account = yield* connect(id)
      const sent: Array<string> = []
      const collect: Statement.Transformer = (statement) =>
        Effect.sync(() => {
          sent.push(statement.compile()[0])
          return statement
        })
      // Known by an id alone, below a post of the network: all three are asked for.
      yield* Effect.provideService(
        ingest(account, [posted({ post: "p1", author: { name: Option.none(), username: Option.none() } })]),
        Statement.CurrentTransformer,
        collect
      )
      const reads = (table: string) => sent.filter((text) => text.includes(`FROM ${table}`) && !text.includes("INSERT"))
      assert.lengthOf(reads("post_targets"), 1)
      assert.deepStrictEqual(reads("post_targets"), reads("author_profiles"))
      assert.include(reads("post_targets")[0], "'thread' AS what")
    })
  )
})
