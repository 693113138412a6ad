import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import * as fc from "fast-check"
import { SocialAccountId, SyncId } from "../../src/kernel/Ids.ts"
import { decideRunStart } from "../../src/sync/decideRun.ts"
import type { AccountSync } from "../../src/sync/SyncRun.ts"
import { noon } from "@loopbox/testing/fixtures/activities"
import { scopeOf } from "@loopbox/testing/fixtures/inboxFixtures"
import { workspaceId } from "../items/anyItem.ts"

const id = SyncId.make(`syn_${"0".repeat(26)}`)

const done = (newItems: number): AccountSync => ({
  accountId: SocialAccountId.make(`acc_${"0".repeat(26)}`),
  network: "instagram",
  read: newItems,
  newItems,
  nextPollAt: Option.none(),
  errors: [],
  backfill: Option.none()
})

const anyResult = fc
  .option(fc.integer({ min: 0, max: 9 }))
  .map((n) => (n === null ? Option.none() : Option.some(done(n))))

describe("a run that begins", () => {
  it("is completed, with an event, exactly when it waits for no account", () => {
    fc.assert(
      fc.property(fc.array(anyResult, { maxLength: 4 }), fc.constantFrom("u1", undefined), (results, user) => {
        const { events, run } = decideRunStart(
          {
            id,
            scope: scopeOf(workspaceId, user).scope,
            networks: new Set(["instagram"]),
            backfill: Option.none(),
            confirmation: Option.none(),
            createdAt: noon
          },
          results
        )
        const externalUserId = Option.fromUndefinedOr(user)
        const ended = results.flatMap(Option.toArray)
        assert.deepStrictEqual(run, {
          id,
          workspaceId,
          externalUserId,
          backfill: Option.none(),
          createdAt: noon,
          isCompleted: results.every(Option.isSome),
          accountsChecked: results.length,
          accounts: ended
        })
        const newItems = ended.reduce((sum, result) => sum + result.newItems, 0)
        const told = { _tag: "SyncCompleted" as const, externalUserId, syncId: id, newItems }
        assert.deepStrictEqual(events, run.isCompleted ? [told] : [])
      })
    )
  })
})
