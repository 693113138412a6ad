import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { makeWorkspace } from "../../../src/fixtures/mediaFixtures.ts"
import { walk } from "../../../src/fixtures/inboxFixtures.ts"
import { connectAccount, enter } from "../../../src/layers/inboxLayers.ts"
import type { InboxTown } from "../InboxWorld.ts"
import { type ErasingTown, sharedPage } from "./Erasing.ts"

/** The page of the town that is connected there, too. */
const page = "p1"

/** Another workspace that has connected two of the same pages: an event feeds each of them (design §2). */
export const makeTwin = Effect.gen(function* () {
  const workspace = yield* makeWorkspace("growth")
  for (const networkAccountId of [page, sharedPage])
    yield* connectAccount(workspace.id, { network: "facebook", networkAccountId })
  const caller = yield* enter(workspace.id)
  const itemsOf = Effect.fnUntraced(function* (of: typeof caller, networkAccountId: string) {
    const items = (yield* walk(of)).filter(({ account }) => account.networkAccountId === networkAccountId)
    return items.map(({ body, externalId, isHidden }) => `${externalId}: ${body}${isHidden ? ", hidden" : ""}`).sort()
  })

  /** What must hold when the weather was fair for long enough: both have the same, whatever became of it in the other. */
  const checkAtRest = Effect.fnUntraced(function* (town: InboxTown, { toldElsewhere }: ErasingTown) {
    const home = town.callers.get(undefined)
    if (home === undefined) return
    assert.deepStrictEqual(yield* itemsOf(caller, page), yield* itemsOf(home, page), "one page in two workspaces")
    const own = new Set((yield* walk(caller)).map(({ externalId }) => externalId))
    for (const externalId of toldElsewhere)
      assert.isTrue(own.has(externalId), `${externalId} was told, and is gone with what another workspace has erased`)
  })
  return { workspace, checkAtRest }
})
