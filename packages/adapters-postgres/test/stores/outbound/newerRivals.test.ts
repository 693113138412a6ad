import type { LeaseRequest } from "@loopbox/core/kernel/lease/claimLoop"
import { begin } from "@loopbox/core/outbound/transitions"
import { OutboundStore } from "@loopbox/core/outbound/OutboundStore"
import { connect, inboxEpoch, inboxWorld, makeInboxWorkspace } from "@loopbox/testing/fixtures/inboxFixtures"
import { makeOperation } from "@loopbox/testing/fixtures/outboundFixtures"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option, Result } from "effect"
import { SqlClient } from "effect/sql"
import { layerStores } from "../../testDatabase.ts"

layer(inboxWorld(layerStores()), { excludeTestServices: true })("a rival of a newer version", (it) => {
  it.effect("is said to be there, and keeps nothing else of the account from being settled and hastened", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* OutboundStore
      const now = yield* inboxEpoch
      const account = yield* connect((yield* makeInboxWorkspace(now)).id, { at: now })
      const [own, rival] = yield* Effect.forEach([1, 2], () =>
        Effect.flatMap(makeOperation(account, now), (operation) =>
          store.submit(operation, () => Result.succeed(operation))
        )
      )
      let claims = 0
      const claim = (seconds: number) => {
        const leaseNow = DateTime.add(now, { seconds })
        const request: LeaseRequest = {
          limit: 10,
          token: `claim ${++claims}`,
          leaseNow,
          leaseUntil: DateTime.add(leaseNow, { seconds: 15 })
        }
        return store.claim({ ...request, sources: ["ig_comment"], now: leaseNow })
      }
      // Sent by a worker that is gone: their outcome is unknown.
      for (const seconds of [1, 20]) {
        for (const held of yield* claim(seconds)) {
          yield* store.change(held, (operation) => ({
            operation: begin(operation, DateTime.add(now, { seconds })),
            leaseUntil: Option.none()
          }))
        }
      }
      const held = (yield* claim(120)).find(({ operation }) => operation.id === own?.id)
      if (held === undefined || rival === undefined) return assert.fail("not claimed")
      const tag = (name: string) => sql`UPDATE outbound_operations
        SET operation = jsonb_set(operation, '{state,_tag}', ${JSON.stringify(name)}::jsonb) WHERE id = ${rival.id}`
      yield* tag("Novel")
      const settled = yield* store.reconcile(held, ["r1"], ({ hasUnreadRivals, operation, rivals }) => {
        assert.deepStrictEqual([hasUnreadRivals, rivals], [true, []])
        return { operation, leaseUntil: Option.none() }
      })
      assert.strictEqual(settled.state._tag, "OutcomeUnknown")
      yield* store.hasten({ workspaceId: account.workspaceId, accountId: account.id })
    })
  )
})
