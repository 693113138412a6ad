import { assert } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { makeWorkspace } from "../../../src/fixtures/mediaFixtures.ts"
import { connect, walk } from "../../../src/fixtures/inboxFixtures.ts"
import { connectAccount, enter } from "../../../src/layers/inboxLayers.ts"
import { type InboxTown, usernames } from "../InboxWorld.ts"
import { type ErasingTown, sharedPage } from "./Erasing.ts"

/** The page of the town that is connected there, too. */
const page = "p1"

/** Another workspace that has connected two of the same pages: an event feeds each of them (design §2). */
export const makeTwin = Effect.gen(function* () {
  const workspace = yield* makeWorkspace("growth")
  const accounts = yield* Effect.forEach([page, sharedPage], (networkAccountId) =>
    connectAccount(workspace.id, {
      network: "facebook",
      networkAccountId,
      username: Option.fromUndefinedOr(usernames[networkAccountId])
    })
  )
  // Posts only: a network tells of its comments all the same.
  const { id: silent } = yield* connect(workspace.id, {
    ...{ network: "facebook", networkAccountId: "p2", username: usernames["p2"] ?? "", features: ["publish"] },
    at: yield* DateTime.now
  })
  // Of another network, that has given it the same id as one of the pages has.
  const { id: namesake } = yield* connectAccount(workspace.id, {
    ...{ network: "threads", networkAccountId: "p3", username: Option.some("namesake") }
  })
  const caller = yield* enter(workspace.id)
  const ofPage = (some: InboxTown["accounts"]) => some.find(({ networkAccountId }) => networkAccountId === page)?.id
  const itemsOf = Effect.fnUntraced(function* (of: typeof caller, accountId: string | undefined) {
    const items = (yield* walk(of)).filter((item) => item.accountId === accountId)
    return items.map(({ body, externalId, isHidden }) => `${externalId}: ${body}${isHidden ? ", hidden" : ""}`).sort()
  })

  /** What must hold when the weather was fair for long enough: both have the same, whatever became of it in the other. */
  const checkAtRest = Effect.fnUntraced(function* (town: InboxTown, { toldElsewhere }: ErasingTown) {
    const home = town.callers.get(undefined)
    if (home === undefined) return
    assert.deepStrictEqual(
      yield* itemsOf(caller, ofPage(accounts)),
      yield* itemsOf(home, ofPage(town.accounts)),
      "one page in two workspaces"
    )
    assert.isEmpty(yield* itemsOf(caller, silent), "an account that posts only has items")
    assert.isEmpty(yield* itemsOf(caller, namesake), "an account has items of one with its id at another network")
    const own = new Set((yield* walk(caller)).map(({ externalId }) => externalId))
    for (const externalId of toldElsewhere)
      assert.isTrue(own.has(externalId), `${externalId} was told, and is gone with what another workspace has erased`)
  })
  return { workspace, checkAtRest }
})
