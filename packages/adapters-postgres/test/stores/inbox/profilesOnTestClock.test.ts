import { AuthorProfiles } from "@loopbox/core/inbox/AuthorProfiles"
import { LeaseClock } from "@loopbox/core/kernel/lease/LeaseClock"
import { noon, posted } from "@loopbox/testing/fixtures/activities"
import { connect, ingest, inboxWorld, makeInboxWorkspace } from "@loopbox/testing/fixtures/inboxFixtures"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { layerStores } from "../../testDatabase.ts"

/** How far a test has moved the clock. */
const ahead = { days: 14 } as const

const movedClock = Layer.succeed(
  LeaseClock,
  Effect.map(DateTime.now, (now) => DateTime.subtract(now, ahead))
)

layer(inboxWorld(layerStores().pipe(Layer.provide(movedClock))))("A person on a clock that a test has moved", (it) => {
  it.effect("is asked for at once, not when the ordinary clock has come there", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(noon.epochMilliseconds)
      const { id } = yield* makeInboxWorkspace()
      const account = yield* connect(id)
      const author = { id: Option.some("psid"), name: Option.none(), username: Option.none() }
      yield* ingest(account, [posted({ source: "ig_dm", externalId: "a", threadKey: "psid", author })], { now: noon })
      const leaseNow = DateTime.subtract(noon, ahead)
      const claims = yield* (yield* AuthorProfiles).claim({
        limit: 10,
        token: "t",
        leaseNow,
        leaseUntil: DateTime.add(leaseNow, { minutes: 1 })
      })
      assert.deepStrictEqual(
        claims.map(({ personId }) => personId),
        ["psid"]
      )
    })
  )
})
