import { assert } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SecureRandom } from "effect/crypto/SecureRandom"
import type { SocialAccount } from "../accounts/SocialAccount.ts"
import { type Network, networks } from "../connectors/Source.ts"
import { type AccountSync, type BackfillInput, type FeedState, newPollState } from "../inbox/SyncRun.ts"
import { type NewRun, type PollNotes, type SyncSettlement, SyncStore } from "../inbox/SyncStore.ts"
import { nextSyncId } from "../kernel/Ids.ts"
import { type AccountOptions, connect, eventsAfter, inboxEpoch, makeInboxWorkspace, scopeOf } from "./inboxFixtures.ts"

/** No account of a run is done from the start. */
export const nobodyDone = () => Option.none<AccountSync>()

/** What became of an account in a run: an error that says to wait. */
export const resultOf = ({ id, network }: SocialAccount, newItems = 0): AccountSync => ({
  accountId: id,
  network,
  read: newItems,
  newItems,
  nextPollAt: Option.none(),
  errors: [{ step: "comments", code: "RATE_LIMITED", message: "Later.", retryAt: Option.none() }],
  backfill: Option.none()
})

/** A backfill with the defaults of api.md §3. */
export const backfillInput: BackfillInput = { accountId: Option.none(), lookbackDays: 7, maxItems: 20 }

/** A workspace, and what starts, claims and ends its syncs. */
export const syncWorld = Effect.gen(function* () {
  const now = yield* inboxEpoch
  const { id: workspaceId } = yield* makeInboxWorkspace(now)
  const store = yield* SyncStore
  const random = yield* SecureRandom
  const add = (options: AccountOptions = {}) => connect(workspaceId, { at: now, ...options })
  const newRun = Effect.fnUntraced(function* (change: Partial<NewRun> = {}, user?: string) {
    const run: NewRun = {
      id: yield* nextSyncId(random),
      scope: scopeOf(workspaceId, user).scope,
      networks: new Set(networks),
      backfill: Option.none(),
      confirmation: Option.none(),
      createdAt: now,
      ...change
    }
    return run
  })
  const start = Effect.fnUntraced(function* (change: Partial<NewRun> = {}, user?: string) {
    return yield* store.start(yield* newRun(change, user), nobodyDone)
  })
  const claim = (
    token: string,
    more: { readonly isAutomatic?: boolean; readonly at?: DateTime.Utc; readonly network?: Network } = {}
  ) => {
    const leaseNow = more.at ?? now
    return store.claim({
      network: more.network ?? "instagram",
      limit: 10,
      isAutomatic: more.isAutomatic ?? false,
      token,
      now: leaseNow,
      leaseNow,
      leaseUntil: DateTime.add(leaseNow, { minutes: 1 })
    })
  }
  const later = (minutes: number) => DateTime.add(now, { minutes })
  const settlement = (account: SocialAccount, newItems = 0): SyncSettlement => ({
    poll: Option.some(resultOf(account, newItems)),
    backfills: [],
    state: newPollState,
    nextPollAt: Option.some(later(5))
  })
  return { now, later, workspaceId, scope: scopeOf(workspaceId), store, add, newRun, start, claim, settlement }
})

/** The one element that there is. */
export const only = <A>(all: ReadonlyArray<A>): A => {
  const [first, ...more] = all
  assert.deepStrictEqual(more, [])
  return first ?? assert.fail("nothing there")
}

/** How far a post was read, in the middle of a page. */
export const feedState = (now: DateTime.Utc, more: Partial<FeedState> = {}): FeedState => ({
  source: "ig_comment",
  feedId: "post",
  checkpoint: Option.some("42"),
  newest: Option.some(now),
  updatedAt: Option.none(),
  readAt: Option.none(),
  since: now,
  pending: Option.some({ cursor: "next", checkpoint: Option.none() }),
  ...more
})

/** What a poll notes, whatever it changed. */
export const notesOf =
  (more: Partial<PollNotes> = {}) =>
  (): PollNotes => ({
    feeds: [],
    read: 0,
    backfill: Option.none(),
    ...more
  })

/** Runs whose end was told: their id, how much was new, and to whom. */
export const completed = Effect.fnUntraced(function* (workspaceId: Parameters<typeof eventsAfter>[0]) {
  return (yield* eventsAfter(workspaceId)).flatMap(({ event }) =>
    event._tag === "SyncCompleted" ? [[event.syncId, event.newItems, Option.getOrNull(event.externalUserId)]] : []
  )
})
