import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { createServer } from "node:net"
import { findTarget, followPrimary } from "../../src/connection/Primary.ts"

/** Ports of the loopback that nobody listens at. */
const freePorts = Effect.promise(async () => {
  const servers = [createServer(), createServer()]
  const ports: Array<number> = []
  for (const server of servers) {
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
    const address = server.address()
    if (typeof address === "object" && address !== null) ports.push(address.port)
  }
  for (const server of servers) await new Promise((done) => server.close(done))
  return ports
})

describe("the primary of several servers", () => {
  it.effect(
    "is not waited for where nobody wants to, and each server is named with its reason, without the password",
    () =>
      Effect.gen(function* () {
        const hosts = (yield* freePorts).map((port) => `127.0.0.1:${port}`)
        const target = { url: Redacted.make(`postgresql://me:secret@${hosts.join(",")}/app`) }
        // The clock stands still: whoever waits once more, waits for ever.
        for (const found of [
          Effect.asVoid(findTarget(target, { awaitsPromotion: false })),
          Effect.asVoid(Effect.scoped(followPrimary(target, { awaitsPromotion: false })))
        ]) {
          const { message } = yield* Effect.flip(found)
          for (const host of hosts) {
            assert.include(message, `${host} does not answer (connect ECONNREFUSED ${host})`)
          }
          assert.notInclude(message, "secret")
        }
      })
  )
})
