import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { ActionPaces } from "@loopbox/core/moderation/ActionPaces"
import { noon } from "../fixtures/activities.ts"
import { connect, type InboxPorts, inboxWorld, makeInboxWorkspace } from "../fixtures/inboxFixtures.ts"

/** What every adapter of the port ActionPaces does. */
export const actionPacesContract = <E>(adapter: string, stores: Layer.Layer<InboxPorts | ActionPaces, E>) =>
  layer(inboxWorld(stores))(`ActionPaces: ${adapter}`, (it) => {
    const pace = { most: 3, within: Duration.seconds(5) }

    it.effect("counts at most so many calls of an account and action within the time, however many come at once", () =>
      Effect.gen(function* () {
        const workspace = yield* makeInboxWorkspace()
        const account = yield* connect(workspace.id)
        const paces = yield* ActionPaces
        const call = { workspaceId: workspace.id, accountId: account.id, action: "like", pace, now: noon }
        const outcomes = yield* Effect.all(
          Array.from({ length: 10 }, () => paces.take(call)),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(outcomes.filter(Option.isNone).length, 3)
        const retryAt = DateTime.add(noon, { seconds: 5 })
        assert.deepStrictEqual(yield* paces.take(call), Option.some(retryAt))
        assert.deepStrictEqual(yield* paces.take({ ...call, action: "hide" }), Option.none())
        assert.deepStrictEqual(yield* paces.take({ ...call, now: retryAt }), Option.none())
      })
    )
  })
