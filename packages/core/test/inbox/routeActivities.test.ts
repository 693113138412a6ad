import { assert, describe, it } from "@effect/vitest"
import { noon, posted } from "@loopbox/testing/fixtures/activities"
import { Effect, Option } from "effect"
import type { ConnectedRoute } from "../../src/accounts/SocialAccounts.ts"
import { routeActivities } from "../../src/inbox/routeActivities.ts"
import { InboxItemId, SocialAccountId, WorkspaceId } from "../../src/kernel/Ids.ts"
import { AccessRevoked, Announced } from "../../src/networks/InboundActivity.ts"

const route = (accountId: string, isForInbox: boolean): ConnectedRoute => ({
  name: { network: "instagram", by: "id", value: "page" },
  workspaceId: WorkspaceId.make("ws_00000000000000000000000001"),
  accountId: SocialAccountId.make(accountId),
  isForInbox
})
const inbox = route("acc_00000000000000000000000001", true)
const publisher = route("acc_00000000000000000000000002", false)

const otherWorkspace = WorkspaceId.make("ws_00000000000000000000000002")

const comment = posted()
const revoked = new AccessRevoked({ route: comment.route, toldAt: noon })
const announced = new Announced({ route: comment.route, source: comment.source, externalId: "a", toldAt: noon })

const routed = (routes: ReadonlyArray<ConnectedRoute>, all: Parameters<typeof routeActivities>[0]) =>
  Effect.map(
    routeActivities(all, routes, (activity) =>
      Effect.succeed({ activity, newId: InboxItemId.make("itm_00000000000000000000000001"), polledAt: Option.none() })
    ),
    ({ units, unrouted }) => ({
      units: units.map((unit) => [unit.accountId, unit.arrivals.length, unit.announced.length, unit.revoked.length]),
      unrouted
    })
  )

describe("routeActivities", () => {
  it.effect("gives an account that is only published to nothing but the news that its access is lost", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* routed([inbox, publisher], [comment, announced, revoked]), {
        units: [
          [inbox.accountId, 1, 1, 1],
          [publisher.accountId, 0, 0, 1]
        ],
        unrouted: 0
      })
    })
  )

  it.effect("takes what only such an account would get for routed: nobody waits for it", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* routed([publisher], [comment]), { units: [], unrouted: 0 })
      assert.deepStrictEqual(yield* routed([], [comment]), { units: [], unrouted: 1 })
    })
  )

  it.effect("finds the accounts of a workspace by what it knows, whatever id another workspace has learnt", () =>
    Effect.gen(function* () {
      const there = { ...inbox, accountId: publisher.accountId, workspaceId: otherWorkspace }
      const named: ConnectedRoute = { ...there, name: { network: "instagram", by: "username", value: "Us" } }
      const told = { ...comment, route: { ...comment.route, username: Option.some("us") } }
      const both = {
        units: [
          [inbox.accountId, 1, 0, 0],
          [publisher.accountId, 1, 0, 0]
        ],
        unrouted: 0
      }
      assert.deepStrictEqual(yield* routed([named], [told]), { units: [[publisher.accountId, 1, 0, 0]], unrouted: 0 })
      assert.deepStrictEqual(yield* routed([inbox, named], [told]), both)
      assert.deepStrictEqual(yield* routed([inbox, there, named], [told]), both)
      // Within one workspace the id decides: its name may be another's by now.
      assert.deepStrictEqual(yield* routed([inbox, { ...named, workspaceId: inbox.workspaceId }], [told]), {
        units: [[inbox.accountId, 1, 0, 0]],
        unrouted: 0
      })
    })
  )
})
