import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { InboxStore } from "@loopbox/core/inbox/InboxStore"
import { UnreadCounters } from "@loopbox/core/inbox/UnreadCounters"
import { deleted, noon, posted } from "../fixtures/activities.ts"
import {
  connect,
  idOf,
  type InboxPorts,
  inboxWorld,
  ingest,
  makeInboxWorkspace,
  scopeOf
} from "../fixtures/inboxFixtures.ts"

let runs = 0

/** What every adapter of the port UnreadCounters does. */
export const unreadCountersContract = <E>(adapter: string, stores: Layer.Layer<InboxPorts, E>) =>
  layer(inboxWorld(stores))(`UnreadCounters: ${adapter}`, (it) => {
    it.effect("compares the counters when that is due, in one of all processes that look at once", () =>
      Effect.gen(function* () {
        const counters = yield* UnreadCounters
        // Later than all earlier comparisons, including those of other runs of this suite in the same database.
        const now = DateTime.add(DateTime.makeUnsafe("2100-01-01"), { days: 365 * ++runs })
        const every = Duration.days(1)
        const look = (at: DateTime.Utc) => counters.compareDue({ now: at, every })
        const looks = yield* Effect.all(
          Array.from({ length: 5 }, () => look(now)),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(looks.filter(Option.isSome).length, 1)
        assert.isTrue(Option.isNone(yield* look(DateTime.add(now, { hours: 23 }))))
        assert.isTrue(Option.isSome(yield* look(DateTime.add(now, { hours: 24 }))))
      })
    )

    it.effect("finds the counters right after items were written, deleted and read", () =>
      Effect.gen(function* () {
        const workspace = yield* makeInboxWorkspace()
        const account = yield* connect(workspace.id)
        const scope = scopeOf(workspace.id)
        const comments = ["c0", "c1", "c2", "c3"].map((externalId) => posted({ externalId }))
        yield* ingest(account, [...comments, deleted({ externalId: "c1" })])
        yield* (yield* InboxStore).markRead(scope, yield* idOf(scope, "c0"), noon)
        yield* (yield* SocialAccounts).requireReauth(
          account.workspaceId,
          account.id,
          DateTime.add(account.createdAt, { seconds: 1 })
        )
        const drift = yield* (yield* UnreadCounters).compare({ repair: false })
        assert.deepStrictEqual(
          drift.filter(({ accountId }) => accountId === account.id),
          []
        )
      })
    )
  })
