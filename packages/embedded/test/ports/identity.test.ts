import { DashboardIdentity } from "@loopbox/core/access/DashboardIdentity"
import { Effect, Exit, Redacted } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { type Identify, layerIdentify } from "../../src/ports/identity.ts"

/** What a function of plain JavaScript gives, whatever its type says. */
const giving =
  (found: string): Identify =>
  async () =>
    found === "" ? undefined : JSON.parse(found)

const verify = (identify: Identify) =>
  DashboardIdentity.use((identity) => Effect.exit(identity.verify(Redacted.make("token")))).pipe(
    Effect.provide(layerIdentify(identify))
  )

describe("an identity by a function", () => {
  it.effect.each(["", "null", "{}", '{"userId":7}', '{"userId":""}'])("refuses what names no user: %s", (found) =>
    Effect.gen(function* () {
      const exit = yield* verify(giving(found))
      assert.isTrue(Exit.isFailure(exit))
      assert.include(String(exit), "Unauthorized")
    })
  )

  it.effect("is whom it names", () =>
    Effect.gen(function* () {
      const exit = yield* verify(async () => ({ userId: "ann" }))
      assert.isTrue(Exit.isSuccess(exit) && exit.value.userId === "ann")
    })
  )
})
