import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as PubSub from "effect/PubSub"
import * as Stream from "effect/Stream"
import { LeaseLost } from "@loopbox/core/kernel/lease/LeaseLost"
import type { InboxScope } from "@loopbox/core/access/InboxScope"
import { hintDue, isHinted } from "@loopbox/core/sync/pollHints"
import { decideRunStart } from "@loopbox/core/sync/decideRun"
import { type SyncClaim, SyncStore } from "@loopbox/core/sync/SyncStore"
import { notePolled } from "./memoryHealth.ts"
import { type AccountEntry, type MemoryInbox, type RunEntry, type TaskEntry, writeEvents } from "./memoryInbox.ts"
import { accountsOf, completeRun, endTask, isPending, noProgress, toRun, waitingRuns } from "./memorySync.ts"
import { MemoryState } from "./MemoryState.ts"

const isAsked = (inbox: MemoryInbox, { account }: AccountEntry, now: DateTime.Utc): boolean =>
  (["poll", "backfill"] as const).some((kind) =>
    waitingRuns(inbox, account.id, kind).some(({ run }) => !DateTime.isGreaterThan(run.createdAt, now))
  )

const isDue = ({ account, poll }: AccountEntry, now: DateTime.Utc): boolean =>
  account.status === "connected" && Option.exists(poll.dueAt, DateTime.isLessThanOrEqualTo(now))

const isHintDue = ({ account, poll }: AccountEntry, now: DateTime.Utc): boolean =>
  account.status === "connected" && Option.exists(poll.hints.dueAt, DateTime.isLessThanOrEqualTo(now))

const held = (inbox: MemoryInbox, { accountId, token }: SyncClaim): Effect.Effect<AccountEntry, LeaseLost> =>
  Effect.suspend(() => {
    const entry = inbox.accounts.get(accountId)
    return entry?.poll.token === token
      ? Effect.succeed(entry)
      : Effect.fail(new LeaseLost({ what: "account", id: accountId }))
  })

const dueMillis = ({ poll }: AccountEntry) =>
  Option.match(poll.dueAt, { onNone: () => 0, onSome: DateTime.toEpochMillis })

/** An unfinished run of the scope that has all of these accounts and started after a time. */
const findWaiting = (
  inbox: MemoryInbox,
  scope: InboxScope,
  accounts: ReadonlyArray<AccountEntry>,
  since: DateTime.Utc
): RunEntry | undefined =>
  Array.from(inbox.runs.values()).find(
    (entry) =>
      entry.run.workspaceId === scope.workspaceId &&
      Option.getOrUndefined(entry.run.externalUserId) ===
        (scope._tag === "WorkspaceScope" ? undefined : scope.externalUserId) &&
      Option.isNone(entry.run.backfill) &&
      DateTime.isGreaterThanOrEqualTo(entry.run.createdAt, since) &&
      isPending(entry) &&
      accounts.every(({ account }) => entry.tasks.has(account.id))
  )

export const layer: Layer.Layer<SyncStore, never, MemoryState> = Layer.effect(
  SyncStore,
  Effect.map(MemoryState, ({ inbox }) =>
    SyncStore.of({
      start: (asked, judge) =>
        Effect.sync(() => {
          const { confirmation, createdAt, id } = asked
          if (Option.isSome(confirmation)) {
            const found = inbox.confirmations.get(confirmation.value)
            const earlier = found && Option.isSome(found.usedBy) ? inbox.runs.get(found.usedBy.value) : undefined
            if (earlier !== undefined) return toRun(earlier)
            if (found !== undefined) inbox.confirmations.set(found.token, { ...found, usedBy: Option.some(id) })
          }
          const accounts = accountsOf(inbox, asked)
          const waiting =
            asked.joinSince && Option.isNone(asked.backfill)
              ? findWaiting(inbox, asked.scope, accounts, asked.joinSince)
              : undefined
          if (waiting !== undefined) return toRun(waiting)
          const judged = accounts.map(({ account, poll }) => ({
            id: account.id,
            result: judge({ account, state: poll.state, nextPollAt: poll.dueAt })
          }))
          const { events, run } = decideRunStart(
            asked,
            judged.map(({ result }) => result)
          )
          const tasks = new Map(
            judged.map(({ id, result }): [typeof id, TaskEntry] => [
              id,
              { result: Option.getOrUndefined(result), progress: noProgress }
            ])
          )
          inbox.runs.set(id, { run, tasks, isCompleted: run.isCompleted })
          writeEvents(inbox, run.workspaceId, events, createdAt)
          PubSub.publishUnsafe(inbox.requests, undefined)
          return run
        }),
      find: (scope, id) =>
        Effect.sync(() => {
          const entry = inbox.runs.get(id)
          if (entry?.run.workspaceId !== scope.workspaceId) return Option.none()
          const isOurs =
            scope._tag === "WorkspaceScope" || Option.contains(entry.run.externalUserId, scope.externalUserId)
          return isOurs ? Option.some(toRun(entry)) : Option.none()
        }),
      isCompleted: (workspaceId, id) =>
        Effect.sync(() => {
          const entry = inbox.runs.get(id)
          return entry?.run.workspaceId !== workspaceId || !isPending(entry)
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
            .filter(
              (entry) => isAsked(inbox, entry, now) || isHintDue(entry, now) || (isAutomatic && isDue(entry, now))
            )
            .sort((a, b) => dueMillis(a) - dueMillis(b))
            .slice(0, limit)
            .map((entry): SyncClaim => {
              const { account, poll } = entry
              const isHinted = isHintDue(entry, now)
              const hints = isHinted ? { ...poll.hints, takenAt: Option.some(now) } : poll.hints
              entry.poll = { ...poll, token, leaseUntil, hints }
              const { id: accountId, workspaceId } = account
              return {
                workspaceId,
                accountId,
                network,
                token,
                isDue: isHinted || (isAutomatic && isDue(entry, now)),
                state: poll.state
              }
            })
        ),
      hint: (workspaceId, accountId, now) =>
        Effect.sync(() => {
          const entry = inbox.accounts.get(accountId)
          if (entry?.account.workspaceId !== workspaceId || entry.account.status !== "connected") return
          const { hints, state } = entry.poll
          entry.poll = { ...entry.poll, hints: { ...hints, dueAt: Option.some(hintDue(hints, state, now)) } }
          PubSub.publishUnsafe(inbox.requests, undefined)
        }),
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
      renew: (claim, leaseUntil) =>
        Effect.map(held(inbox, claim), (entry) => {
          entry.poll = { ...entry.poll, leaseUntil }
        }),
      release: (claim) =>
        Effect.map(held(inbox, claim), (entry) => {
          entry.poll = { ...entry.poll, token: undefined, leaseUntil: undefined }
        }),
      settle: (claim, { backfills, facts, nextPollAt, poll, state }, at) =>
        Effect.map(held(inbox, claim), (entry) => {
          if (Option.isSome(facts)) notePolled(entry, facts.value, at)
          const { feeds, newItems, read, ...before } = entry.poll
          const hints = isHinted(before.hints) ? before.hints : { ...before.hints, dueAt: Option.none() }
          const dueAt =
            entry.account.status === "connected"
              ? Option.orElse(nextPollAt, () => Option.orElse(entry.poll.dueAt, () => Option.some(at)))
              : Option.none()
          const counts = Option.isSome(poll) ? { read: 0, newItems: 0 } : { read, newItems }
          entry.poll = { feeds, hints, ...counts, state, dueAt, token: undefined, leaseUntil: undefined }
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
