import { ConversionStore } from "@loopbox/core/conversions/ConversionStore"
import { InboxStore, noFilter } from "@loopbox/core/inbox/InboxStore"
import type { IngestStore } from "@loopbox/core/inbox/IngestStore"
import { noThreadFilter, ThreadStore } from "@loopbox/core/threads/ThreadStore"
import { assert, layer } from "@effect/vitest"
import { noon, posted } from "@loopbox/testing/fixtures/activities"
import { connect, ingest, makeInboxWorkspace, scopeOf } from "@loopbox/testing/fixtures/inboxFixtures"
import { always, conversion, makeGif } from "@loopbox/testing/fixtures/storeFixtures"
import { Effect, Layer, Option, Schema } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { SqlClient, Statement } from "effect/sql"
import { describe, inject } from "vitest"
import { layerStores } from "../../testDatabase.ts"

const world = Layer.merge(layerStores(), SecureRandom.layerWebCrypto)
type Used = IngestStore | SecureRandom.SecureRandom

const PlanRow = Schema.Struct({ "QUERY PLAN": Schema.String })

/** Of what the coordinator can't send to a node as it is: rows come to it first, and go back in files. */
const isCollected = /method: pull to coordinator|Distributed Subplan|could not create distributed plan/

/** The statements of a call for which the coordinator does more than send them to one node. */
const goingAround = Effect.fnUntraced(function* <E, R>(call: Effect.Effect<unknown, E, R>) {
  const sql = yield* SqlClient.SqlClient
  const sent = new Map<string, ReadonlyArray<unknown>>()
  const collect: Statement.Transformer = (statement) =>
    Effect.sync(() => {
      const [text, values] = statement.compile()
      sent.set(text, values)
      return statement
    })
  yield* Effect.provideService(call, Statement.CurrentTransformer, collect)
  const found: Array<string> = []
  for (const [text, values] of sent) {
    const plan = yield* sql.unsafe(`EXPLAIN ${text}`, values).pipe(
      Effect.flatMap(Schema.decodeUnknownEffect(Schema.Array(PlanRow))),
      Effect.map((rows) => rows.map((row) => row["QUERY PLAN"]).join("\n")),
      Effect.catch((error) => Effect.succeed(JSON.stringify(error.cause)))
    )
    const tasks = Array.from(plan.matchAll(/Task Count: (\d+)/g), ([, count]) => count)
    if (isCollected.test(plan) || tasks.some((count) => count !== "1")) found.push(text)
  }
  assert.isAbove(sent.size, 0)
  return found
})

const page = { limit: 20, after: Option.none() }

// Only a coordinator knows: where there is none (LOOPBOX_TEST_CITUS, .ci/citus.sh), this is left out.
describe.skipIf((inject("loopboxTestServer").workers ?? []).length === 0)("On a distributed database", () => {
  layer(world, { excludeTestServices: true })((it) => {
    it.effect("what networks and callers send again and again goes to one node as it is", () =>
      Effect.gen(function* () {
        const [inbox, threads, conversions] = [yield* InboxStore, yield* ThreadStore, yield* ConversionStore]
        const { id } = yield* makeInboxWorkspace()
        const account = yield* connect(id)
        const scope = scopeOf(id)
        const some = Array.from({ length: 5 }, (_, n) => posted({ externalId: `c${n}`, threadKey: `t${n}` }))
        const named = { isHeard: true, completes: ["delivery"] }
        const files = { gif: yield* makeGif(id, noon) }
        const { items } = yield* Effect.andThen(
          ingest(account, [posted({ externalId: "read" })]),
          inbox.list(scope, { ...noFilter, ...page })
        )
        const [item] = items
        const calls: Readonly<Record<string, Effect.Effect<unknown, unknown, Used>>> = {
          "a new item": ingest(account, [posted({ externalId: "one" })], named),
          "new items": ingest(account, some, { ...named, completes: ["a", "b"] }),
          "known items": ingest(account, some, { completes: ["c"] }),
          list: inbox.list(scope, { ...noFilter, ...page }),
          "list of an account": inbox.list(scope, { ...noFilter, ...page, accountId: Option.some(account.id) }),
          threads: threads.list(scope, { ...noThreadFilter, ...page }),
          "unread count": inbox.countUnread(scope),
          "one read": item === undefined ? Effect.die("no item") : inbox.markRead(scope, item.id, noon),
          "all read": inbox.markBatch(scope, { upToSeq: 1_000, limit: 100, at: noon }),
          submit: Effect.flatMap(conversion(files.gif, noon, "key"), (job) => conversions.submit(job, always))
        }
        for (const [name, call] of Object.entries(calls)) {
          assert.deepStrictEqual(yield* goingAround(call), [], name)
        }
      })
    )
  })
})
