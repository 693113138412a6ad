import { Access } from "@loopbox/core/access/Access"
import { Administration } from "@loopbox/core/access/Administration"
import { InboxAccess, type InboxRequest } from "@loopbox/core/access/InboxAccess"
import { BlobStore } from "@loopbox/core/media/BlobStore"
import { Connectors } from "@loopbox/core/networks/Connectors"
import { noNetworks } from "@loopbox/core/networks/noNetworks"
import { makeWorkspace } from "@loopbox/testing/fixtures/mediaFixtures"
import { layerDigest } from "@loopbox/testing/layers/testLayers"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { SqlClient } from "effect/sql"
import * as Statement from "effect/sql/Statement"
import { layerStores } from "../../testDatabase.ts"

const workspaces = 50
const usersOfEach = 200

const world = Layer.mergeAll(InboxAccess.layer, Administration.layer({ keyMode: "live" })).pipe(
  Layer.provideMerge(Access.layer),
  Layer.provideMerge(Layer.mergeAll(layerStores(), layerDigest, SecureRandom.layerWebCrypto)),
  // Workspaces and keys need none of them.
  Layer.provide([Layer.mock(BlobStore)({ adopt: Option.none() }), Layer.succeed(Connectors, noNetworks)])
)

/** Counts what an effect sends. */
const countingStatements = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  let sent = 0
  const result = yield* Effect.provideService(effect, Statement.CurrentTransformer, (statement) =>
    Effect.sync(() => {
      sent++
      return statement
    })
  )
  return { result, sent }
})

layer(world, { excludeTestServices: true })("Judging open sockets again", (it) => {
  it.effect(
    `takes at most four statements of each workspace: ${workspaces * usersOfEach} sockets of ${workspaces}`,
    () =>
      Effect.gen(function* () {
        const access = yield* InboxAccess
        const administration = yield* Administration
        const sql = yield* SqlClient.SqlClient
        const all = yield* Effect.forEach(Array.from({ length: workspaces }), () =>
          Effect.gen(function* () {
            const { id } = yield* makeWorkspace("growth")
            yield* administration.setMember(id, "owner", "owner")
            const issued = yield* administration.issueKey(id, {
              name: "k",
              creatorUserId: Option.some("owner"),
              expiresAt: Option.none()
            })
            const users = Array.from({ length: usersOfEach }, (_, n) => `user_${n}`)
            yield* sql`INSERT INTO managed_users (workspace_id, external_user_id, created_at)
            SELECT ${id}, u, now() FROM unnest(${users}::text[]) u`
            const credential = Option.some({ token: issued.text, workspaceId: Option.none() })
            return users.map((user): InboxRequest => ({
              credential,
              rawQuery: `inbox_scope=managed_user&external_user_id=${user}`,
              isExplicit: true
            }))
          })
        )
        // As the judge of sockets does: the cases of a workspace beside each other, and a few workspaces at once. Each of
        // these has a scope of its own; thousands of sockets of one scope are one case.
        const round = Effect.forEach(
          all,
          (requests) => Effect.forEach(requests, access.enterInboxTogether, { concurrency: "unbounded" }),
          { concurrency: 4 }
        )
        const { result, sent } = yield* countingStatements(round)
        assert.strictEqual(result.flat().length, workspaces * usersOfEach)
        assert.isAbove(sent, workspaces)
        assert.isAtMost(sent, 4 * workspaces)
      })
  )
})
