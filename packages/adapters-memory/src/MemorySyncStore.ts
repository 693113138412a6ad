import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as PubSub from "effect/PubSub"
import type { InboxScope } from "@loopbox/core/access/InboxScope"
import { decideRunStart } from "@loopbox/core/sync/decideRun"
import { SyncStore } from "@loopbox/core/sync/SyncStore"
import { type AccountEntry, type MemoryInbox, type RunEntry, type TaskEntry, writeEvents } from "./memoryInbox.ts"
import { accountsOf, isPending, noProgress, toRun } from "./memorySync.ts"
import { hasOwner, MemoryState } from "./MemoryState.ts"

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
  Effect.map(MemoryState, (state) => {
    const { inbox } = state
    return SyncStore.of({
      start: (asked, judge) =>
        Effect.sync(() => {
          const { confirmation, createdAt, id } = asked
          const ended = decideRunStart(asked, []).run
          if (!hasOwner(state, ended)) return ended
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
          if (hasOwner(state, confirmation)) inbox.confirmations.set(confirmation.token, confirmation)
        }),
      findConfirmation: (workspaceId, token) =>
        Effect.sync(() =>
          Option.filter(
            Option.fromUndefinedOr(inbox.confirmations.get(token)),
            (found) => found.workspaceId === workspaceId
          )
        ),
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
        })
    })
  })
)
