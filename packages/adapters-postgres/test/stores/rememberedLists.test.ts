import { ManagedUserScope, WorkspaceScope } from "@loopbox/core/access/InboxScope"
import { InboxStore, noFilter } from "@loopbox/core/inbox/InboxStore"
import type { ItemScope } from "@loopbox/core/items/ItemScope"
import { InboxItemId, ThreadId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { noThreadFilter, ThreadStore } from "@loopbox/core/threads/ThreadStore"
import { noon } from "@loopbox/testing/fixtures/activities"
import { sources } from "@loopbox/testing/fixtures/networks"
import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import * as Statement from "effect/sql/Statement"
import { layerStores } from "../testDatabase.ts"

const workspaceId = WorkspaceId.make(`ws_${"0".repeat(26)}`)
const digits = "0".repeat(25)

const scopes = {
  "a workspace": new WorkspaceScope({ workspaceId }),
  "a managed user": new ManagedUserScope({ workspaceId, externalUserId: "ann" })
}

/** Whether a call sends one statement, and that as a text that was remembered: it has no pieces. */
const isRemembered = Effect.fnUntraced(function* <A, E, R>(call: Effect.Effect<A, E, R>) {
  const pieces: Array<number> = []
  yield* call.pipe(
    Effect.provideService(Statement.CurrentTransformer, (statement) =>
      Effect.sync(() => {
        pieces.push(statement.segments.length)
        return statement
      })
    )
  )
  return pieces.length === 1 && pieces[0] === 1
})

layer(layerStores())("Lists without a filter have remembered statements", (it) => {
  for (const [who, scope] of Object.entries(scopes)) {
    const all: ItemScope = { scope, sources: new Set(sources) }

    it.effect(`of items of ${who}, and those with a filter have not`, () =>
      Effect.gen(function* () {
        const { list } = yield* InboxStore
        const first = { ...noFilter, limit: 10, after: Option.none() }
        const after = Option.some({ receivedAt: noon, id: InboxItemId.make(`itm_0${digits}`) })
        assert.isTrue(yield* isRemembered(list(all, first)))
        assert.isTrue(yield* isRemembered(list(all, { ...first, after })))
        assert.isFalse(yield* isRemembered(list(all, { ...first, isRead: Option.some(true) })))
      })
    )

    it.effect(`of threads of ${who}, and those with a filter have not`, () =>
      Effect.gen(function* () {
        const { list } = yield* ThreadStore
        const first = { ...noThreadFilter, limit: 10, after: Option.none() }
        const after = Option.some({ lastItemAt: noon, id: ThreadId.make(`thr_0${digits}`) })
        assert.isTrue(yield* isRemembered(list(all, first)))
        assert.isTrue(yield* isRemembered(list(all, { ...first, after })))
        assert.isFalse(yield* isRemembered(list(all, { ...first, isUnread: Option.some(true) })))
      })
    )
  }
})
