import { DashboardIdentity } from "@loopbox/core/access/DashboardIdentity"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import { assert, describe, it } from "vitest"
import { layerIdentify } from "../../src/ports/identity.ts"

/** Whom a function that gives this lets in, and what is logged of it. */
const identify = async (given: unknown) => {
  const logged: Array<string> = []
  const logger = Logger.make(({ message }) => void logged.push(String(message)))
  const verify = Effect.flatMap(Effect.serviceOption(DashboardIdentity), (found) =>
    Effect.flatMap(Effect.fromOption(found), (identity) => identity.verify(Redacted.make("token")))
  )
  const exit = await Effect.runPromiseExit(
    verify.pipe(
      // As plain JavaScript gives it.
      Effect.provide(layerIdentify(async () => JSON.parse(JSON.stringify(given)))),
      Effect.provide(Logger.layer([logger]))
    )
  )
  return { isIn: exit._tag === "Success", logged }
}

describe("an identity function that gives something else than it has to", () => {
  it("lets nobody in, and its author is told why", async () => {
    const end = "; the token is refused"
    const wrong: ReadonlyArray<readonly [given: unknown, fault: string]> = [
      ["ann", "it gave string instead of { userId, workspaceId } or null"],
      [{ user_id: "ann" }, "userId must be a text"],
      [{ userId: "ann", workspaceId: 7 }, "workspaceId must be a text or null"],
      [{ userId: "ann", workspaceId: "ws_1", externalUserId: 7 }, "externalUserId must be a text or null"]
    ]
    for (const [given, fault] of wrong) {
      assert.deepStrictEqual(await identify(given), { isIn: false, logged: [`identity: ${fault}${end}`] })
    }
    assert.deepStrictEqual(await identify(null), { isIn: false, logged: [] })
    assert.deepStrictEqual(await identify({ userId: "ann" }), { isIn: true, logged: [] })
  })
})
