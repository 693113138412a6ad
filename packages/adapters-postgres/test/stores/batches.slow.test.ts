import { AuthorProfiles } from "@loopbox/core/inbox/AuthorProfiles"
import { WebhookDeliveries } from "@loopbox/core/webhooks/WebhookDeliveries"
import { noon, posted } from "@loopbox/testing/fixtures/activities"
import {
  connect,
  eventsAfter,
  ingest,
  makeInboxWorkspace,
  scopeOf,
  walk
} from "@loopbox/testing/fixtures/inboxFixtures"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Option } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { SqlClient } from "effect/sql"
import { layerStores } from "../testDatabase.ts"

const mostAtOnce = 1_000

/** Lets no statement change more rows of a table than belong in one transaction. */
const refuseMany = Effect.fnUntraced(function* (table: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(`CREATE OR REPLACE FUNCTION refuse_many() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF (SELECT count(*) FROM changed) > ${mostAtOnce} THEN RAISE EXCEPTION 'too many rows of %', TG_TABLE_NAME; END IF;
    RETURN NULL; END $$`)
  yield* sql.unsafe(`CREATE TRIGGER refuse_many AFTER UPDATE ON ${table} REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_many()`)
})

// By triggers of their own, which no distributed table takes.
const world = Layer.merge(layerStores({}, "alone"), SecureRandom.layerWebCrypto)

layer(world, { excludeTestServices: true })("In batches", (it) => {
  it.effect("all failed deliveries are replayed, each once (M10)", () =>
    Effect.gen(function* () {
      const [deliveries, sql] = [yield* WebhookDeliveries, yield* SqlClient.SqlClient]
      const insert = (n: string) =>
        sql.unsafe(`INSERT INTO webhook_deliveries (id, endpoint, body, state, reason,
          attempts, arrived_at, ended_at)
        SELECT n::text, 'meta', '', 'failed', 'r', 3, now() - make_interval(secs => n), now() FROM ${n} n`)
      yield* insert("generate_series(1, 2500)")
      yield* refuseMany("webhook_deliveries")
      assert.strictEqual(yield* deliveries.replay(Option.none(), noon), 2_500)
      assert.strictEqual(yield* deliveries.replay(Option.none(), noon), 0)
      assert.deepStrictEqual((yield* deliveries.depth).counts.pending, 2_500)
    })
  )

  it.effect("all items of a person get the name, and each is told of once (M10)", () =>
    Effect.gen(function* () {
      const profiles = yield* AuthorProfiles
      const { id } = yield* makeInboxWorkspace()
      const account = yield* connect(id)
      const author = { id: Option.some("psid"), name: Option.none(), username: Option.none() }
      for (const part of [0, 1, 2]) {
        yield* ingest(
          account,
          Array.from({ length: 500 }, (_, n) =>
            posted({ externalId: `c${part * 500 + n}`, threadKey: `t${n}`, author })
          )
        )
      }
      yield* refuseMany("items")
      const request = { limit: 1, token: "t", leaseNow: noon, leaseUntil: DateTime.add(noon, { minutes: 1 }) }
      const [claim] = yield* profiles.claim(request)
      if (claim === undefined) return yield* Effect.die(new Error("nothing to claim"))
      const person = { name: Option.some("Ann"), avatarUrl: Option.none() }
      assert.strictEqual(yield* profiles.settle(claim, { _tag: "Known", person }, noon), 1_500)
      const names = (yield* walk(scopeOf(id), { limit: 500 })).map(({ authorName }) => Option.getOrNull(authorName))
      assert.deepStrictEqual(new Set(names), new Set(["Ann"]))
      const told = (yield* eventsAfter(id)).filter(({ event }) => event._tag === "ItemUpdated")
      assert.strictEqual(told.length, 1_500)
      assert.strictEqual(
        (yield* Effect.flip(profiles.settle(claim, { _tag: "Known", person }, noon)))._tag,
        "LeaseLost"
      )
    })
  )
})
