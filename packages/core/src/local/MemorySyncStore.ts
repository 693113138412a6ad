import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as PubSub from "effect/PubSub"
import * as Stream from "effect/Stream"
import { SyncLeaseLost } from "../inbox/InboxErrors.ts"
import { type SyncClaim, SyncStore } from "../inbox/SyncStore.ts"
import type { AccountEntry, MemoryInbox, RunEntry, TaskEntry } from "./memoryInbox.ts"
import { accountsOf, completeRun, endTask, noProgress, toRun, userOf, waitingRuns } from "./memorySync.ts"
import { MemoryState } from "./MemoryState.ts"

const isAsked = (inbox: MemoryInbox, { account }: AccountEntry, now: DateTime.Utc): boolean =>
  (["poll", "backfill"] as const).some((kind) =>
    waitingRuns(inbox, account.id, kind).some(({ run }) => !DateTime.isGreaterThan(run.createdAt, now))
  )

const isDue = ({ account, poll }: AccountEntry, now: DateTime.Utc): boolean =>
  account.status === "connected" && Option.exists(poll.dueAt, DateTime.isLessThanOrEqualTo(now))

const held = (inbox: MemoryInbox, { accountId, token }: SyncClaim): AccountEntry | undefined => {
  const entry = inbox.accounts.get(accountId)
  return entry?.poll.token === token ? entry : undefined
}

const dueMillis = ({ poll }: AccountEntry) =>
  Option.match(poll.dueAt, { onNone: () => 0, onSome: DateTime.toEpochMillis })

export const layer: Layer.Layer<SyncStore, never, MemoryState> = Layer.effect(
  SyncStore,
  Effect.map(MemoryState, ({ inbox }) =>
    SyncStore.of({
      start: ({ backfill, confirmation, createdAt, id, networks, scope }, judge) =>
        Effect.sync(() => {
          if (Option.isSome(confirmation)) {
            const found = inbox.confirmations.get(confirmation.value)
            const earlier = found && Option.isSome(found.usedBy) ? inbox.runs.get(found.usedBy.value) : undefined
            if (earlier !== undefined) return toRun(earlier)
            if (found !== undefined) inbox.confirmations.set(found.token, { ...found, usedBy: Option.some(id) })
          }
          const accounts = accountsOf(inbox, { scope, networks, backfill })
          const tasks = new Map(
            accounts.map(({ account, poll }): [typeof account.id, TaskEntry] => [
              account.id,
              {
                result: Option.getOrUndefined(judge({ account, state: poll.state, nextPollAt: poll.dueAt })),
                progress: noProgress
              }
            ])
          )
          const { workspaceId } = scope
          const run = { id, workspaceId, externalUserId: userOf(scope), backfill, createdAt }
          const entry: RunEntry = { run, tasks, isCompleted: false }
          inbox.runs.set(id, entry)
          completeRun(inbox, entry, createdAt)
          PubSub.publishUnsafe(inbox.requests, undefined)
          return toRun(entry)
        }),
      find: (scope, id) =>
        Effect.sync(() => {
          const entry = inbox.runs.get(id)
          if (entry?.run.workspaceId !== scope.workspaceId) return Option.none()
          const isOurs =
            scope._tag === "WorkspaceScope" || Option.contains(entry.run.externalUserId, scope.externalUserId)
          return isOurs ? Option.some(toRun(entry)) : Option.none()
        }),
      countAccounts: (run) => Effect.sync(() => accountsOf(inbox, run).length),
      offer: (confirmation) =>
        Effect.sync(() => {
          inbox.confirmations.set(confirmation.token, confirmation)
        }),
      findConfirmation: (workspaceId, token) =>
        Effect.sync(() =>
          Option.filter(
            Option.fromUndefinedOr(inbox.confirmations.get(token)),
            (found) => found.workspaceId === workspaceId
          )
        ),
      claim: ({ isAutomatic, leaseNow, leaseUntil, limit, network, now, token }) =>
        Effect.sync(() =>
          Array.from(inbox.accounts.values())
            .filter(({ account, poll }) => {
              const isFree = poll.leaseUntil === undefined || !DateTime.isGreaterThan(poll.leaseUntil, leaseNow)
              return account.network === network && isFree
            })
            .filter((entry) => isAsked(inbox, entry, now) || (isAutomatic && isDue(entry, now)))
            .sort((a, b) => dueMillis(a) - dueMillis(b))
            .slice(0, limit)
            .map((entry): SyncClaim => {
              const { account, poll } = entry
              entry.poll = { ...poll, token, leaseUntil }
              const { id: accountId, workspaceId } = account
              return {
                workspaceId,
                accountId,
                network,
                token,
                isDue: isAutomatic && isDue(entry, now),
                state: poll.state
              }
            })
        ),
      read: ({ accountId }) =>
        Effect.sync(() => {
          const poll = inbox.accounts.get(accountId)?.poll
          const backfills = waitingRuns(inbox, accountId, "backfill").flatMap(({ run, tasks }) => {
            const task = tasks.get(accountId)
            return task === undefined || Option.isNone(run.backfill)
              ? []
              : [{ runId: run.id, input: run.backfill.value, createdAt: run.createdAt, progress: task.progress }]
          })
          return {
            feeds: poll?.feeds ?? new Map(),
            isAsked: waitingRuns(inbox, accountId, "poll").length > 0,
            read: poll?.read ?? 0,
            newItems: poll?.newItems ?? 0,
            backfills
          }
        }),
      extend: (claim, leaseUntil) =>
        Effect.sync(() => {
          const entry = held(inbox, claim)
          if (entry !== undefined) entry.poll = { ...entry.poll, leaseUntil }
          return entry !== undefined
        }),
      release: (claim) =>
        Effect.sync(() => {
          const entry = held(inbox, claim)
          if (entry !== undefined) entry.poll = { ...entry.poll, token: undefined, leaseUntil: undefined }
        }),
      settle: (claim, { backfills, nextPollAt, poll, state }, at) =>
        Effect.suspend(() => {
          const entry = held(inbox, claim)
          if (entry === undefined) return Effect.fail(new SyncLeaseLost({ accountId: claim.accountId }))
          const { feeds, newItems, read } = entry.poll
          const counts = Option.isSome(poll) ? { read: 0, newItems: 0 } : { read, newItems }
          entry.poll = { feeds, ...counts, state, dueAt: nextPollAt, token: undefined, leaseUntil: undefined }
          const polled = Option.toArray(poll).flatMap((result) =>
            waitingRuns(inbox, claim.accountId, "poll").map((run) => ({ run, result }))
          )
          const backfilled = backfills.flatMap(({ result, runId }) => {
            const run = inbox.runs.get(runId)
            return run === undefined ? [] : [{ run, result }]
          })
          for (const { result, run } of [...polled, ...backfilled]) {
            endTask(run, result)
            completeRun(inbox, run, at)
          }
          return Effect.void
        }),
      removeOlder: ({ confirmations, runs }, limit) =>
        Effect.sync(() => {
          const old = [
            ...Array.from(inbox.runs.values())
              .filter(({ run }) => DateTime.isLessThan(run.createdAt, runs))
              .map(
                ({ run }) =>
                  () =>
                    inbox.runs.delete(run.id)
              ),
            ...Array.from(inbox.confirmations.values())
              .filter(({ expiresAt }) => DateTime.isLessThan(expiresAt, confirmations))
              .map(
                ({ token }) =>
                  () =>
                    inbox.confirmations.delete(token)
              )
          ].slice(0, limit)
          for (const remove of old) remove()
          return old.length
        }),
      requests: Stream.unwrap(
        Effect.map(PubSub.subscribe(inbox.requests), (subscription) => Stream.fromSubscription(subscription))
      )
    })
  )
)
