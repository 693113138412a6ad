import type { AccountRoute } from "@loopbox/core/networks/InboundActivity"
import { WebhookGate } from "@loopbox/core/networks/WebhookGate"
import * as SocialWebhookGate from "@loopbox/adapters-social/SocialWebhookGate"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { networks } from "../src/names.ts"
import { bytesOf, fixtureBytes, fixtures, normaliseFixture } from "./fixtures.ts"

const gate = Effect.service(WebhookGate).pipe(Effect.provide(SocialWebhookGate.layer({ meta: [], threads: [], x: [] })))

const endpoints = { instagram: "meta", facebook: "meta", threads: "threads", x: "x" } as const

const namesOf = ({ accountId, network, username }: AccountRoute) =>
  [accountId, username].flatMap(Option.toArray).map((name) => `${network} ${name}`)

describe("The accounts that a body speaks to", () => {
  for (const network of networks) {
    for (const file of fixtures[network]) {
      it.effect(`are named by ${network}/${file} before it is ingested`, () =>
        Effect.gen(function* () {
          const { addressees } = yield* gate
          const named = new Set(addressees(endpoints[network], fixtureBytes(network, file)).flatMap(namesOf))
          for (const activity of normaliseFixture(network, file).activities) {
            const told = namesOf(activity.route)
            assert.isTrue(
              told.some((name) => named.has(name)),
              `${told.join()} of ${Array.from(named).join()}`
            )
          }
        })
      )
    }
  }

  it.effect("are each named once, and at most fifty", () =>
    Effect.gen(function* () {
      const { addressees } = yield* gate
      const entry = Array.from({ length: 500 }, (_, n) => ({ id: `${n % 100}`, changes: [] }))
      const found = addressees("meta", bytesOf({ object: "page", entry }))
      assert.strictEqual(new Set(found.flatMap(namesOf)).size, 50)
      assert.strictEqual(found.length, 50)
    })
  )

  it.effect("are nobody where a body is no JSON, of another shape, too long, or of another process", () =>
    Effect.gen(function* () {
      const { addressees } = yield* gate
      const long = bytesOf({ object: "page", entry: [{ id: "1", text: "x".repeat(1024 * 1024) }] })
      assert.deepStrictEqual(addressees("meta", long), [])
      assert.deepStrictEqual(addressees("newer", bytesOf({ object: "page", entry: [{ id: "1" }] })), [])
      const bodies = [
        null,
        1,
        "x",
        [],
        [null],
        { object: 1 },
        { object: "page", entry: "x" },
        { values: [1] },
        { data: 0 }
      ]
      for (const endpoint of ["meta", "threads", "x"]) {
        for (const body of bodies) assert.deepStrictEqual(addressees(endpoint, bytesOf(body)), [], JSON.stringify(body))
        assert.deepStrictEqual(addressees(endpoint, new TextEncoder().encode("{")), [])
      }
    })
  )
})
