import { assert } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import { Ingest } from "@loopbox/core/inbox/Ingest"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { posted } from "../../src/fixtures/activities.ts"
import type { Chance } from "./Chance.ts"
import type { PostNetwork } from "./PostNetwork.ts"
import { targetsOf } from "./PostTown.ts"

/** People comment on what was published, under whichever of its ids, also before it is known here that it was. */
export const makeHanging = Effect.fnUntraced(function* (
  chance: Chance,
  { effects }: PostNetwork,
  workspaceId: WorkspaceId
) {
  const { inbox } = yield* MemoryState
  const ingest = yield* Ingest
  let said = 0
  const step = Effect.gen(function* () {
    const effect = chance.pick(effects)
    if (effect === undefined) return
    const externalId = `hanging-${++said}`
    const told = posted({
      ...{ source: "fb_comment", account: effect.account, externalId, threadKey: externalId },
      ...{ post: chance.isOneIn(2) ? effect.alias : effect.externalId, receivedAt: yield* DateTime.now }
    })
    const heard = ingest.ingest({ activities: [told], deliveryIds: [], isLastTry: true })
    // Where the store is away, the network tells it again.
    yield* Effect.retry(heard, { times: 20 })
  })

  /** Comments on a published target name its post, as soon as both are known; no other item names one. */
  const check = Effect.gen(function* () {
    const published = (yield* targetsOf).flatMap(({ accountId, postId, state }) =>
      state._tag === "Published" ? [{ accountId, postId, ids: [state.externalId, ...state.postIds] }] : []
    )
    for (const { account, items } of inbox.accounts.values()) {
      if (account.workspaceId !== workspaceId) continue
      for (const item of items.values()) {
        if (item._tag !== "LiveItem") continue
        const wanted = published.find(
          ({ accountId, ids }) => accountId === account.id && Option.exists(item.linkedPostId, (id) => ids.includes(id))
        )
        assert.strictEqual(
          Option.getOrUndefined(item.postId),
          wanted?.postId,
          `the post of ${item.externalId}, which hangs on ${Option.getOrUndefined(item.linkedPostId)}`
        )
      }
    }
  })
  return { step, check }
})

/** What must hold when every deadline has passed: it is known of each first comment whether it is there, and told so. */
export const checkCommentsAtRest = Effect.fnUntraced(function* ({ comments: { written }, effects }: PostNetwork) {
  for (const { firstComment, id, state } of yield* targetsOf) {
    const there = written.find(({ targetId }) => targetId === id)
    const isAsked = Option.exists(firstComment, (text) => text.trim() !== "")
    if (state._tag !== "Published") {
      // What is there and was given up by the machine may have none, for nobody knows below what to write it.
      assert.isUndefined(there, `${id} is ${state._tag}, and has a first comment`)
      continue
    }
    const shown = effects.find(({ externalId }) => externalId === state.externalId)
    // Whoever has told the address of a post has told all of its ids.
    if (Option.isSome(state.url)) assert.include(state.postIds, shown?.alias, `the ids of what ${id} published`)
    const ends = isAsked ? (there === undefined ? ["failed", "lost"] : ["done", "lost"]) : ["none"]
    assert.include(ends, state.comment, `the first comment of ${id}`)
    if (there !== undefined) assert.isTrue(Option.contains(firstComment, there.text), `what is said below ${id}`)
  }
})
