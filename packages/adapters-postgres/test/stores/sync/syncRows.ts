import type { SocialAccount } from "@loopbox/core/accounts/SocialAccount"
import { PollStore } from "@loopbox/core/sync/PollStore"
import { SyncStore } from "@loopbox/core/sync/SyncStore"
import { nextSyncId } from "@loopbox/core/kernel/Ids"
import { ingest, scopeOf } from "@loopbox/testing/fixtures/inboxFixtures"
import { DateTime, Effect, Option } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"

/** Of an account a run that waits for it, a feed that is read, and of its owner a confirmation. */
export const fillSyncs = Effect.fnUntraced(function* (account: SocialAccount) {
  const { createdAt: now, id, network, workspaceId } = account
  const store = yield* SyncStore
  const polls = yield* PollStore
  const user = Option.getOrUndefined(account.externalUserId)
  const asked = {
    id: yield* nextSyncId(yield* SecureRandom.SecureRandom),
    scope: scopeOf(workspaceId, user).scope,
    networks: new Set([network]),
    backfill: Option.none(),
    confirmation: Option.none(),
    createdAt: now
  }
  yield* store.start(asked, () => Option.none())
  const input = { accountId: Option.none(), lookbackDays: 7, maxItems: 20 }
  const externalUserId = account.externalUserId
  yield* store.offer({ workspaceId, token: id, externalUserId, input, expiresAt: now, usedBy: Option.none() })
  const claims = yield* polls.claim({
    network,
    limit: 100,
    isAutomatic: false,
    token: id,
    now,
    leaseNow: now,
    leaseUntil: DateTime.add(now, { minutes: 1 })
  })
  for (const claim of claims) {
    if (claim.accountId === id) {
      const feed = {
        source: "ig_comment" as const,
        feedId: "post",
        checkpoint: Option.none(),
        newest: Option.some(now),
        updatedAt: Option.none(),
        readAt: Option.none(),
        since: now,
        pending: Option.none()
      }
      const notes = () => ({ feeds: [feed], read: 1, backfill: Option.none() })
      yield* ingest(account, [], { poll: { claim, notes }, now })
    }
    yield* polls.release(claim)
  }
})
