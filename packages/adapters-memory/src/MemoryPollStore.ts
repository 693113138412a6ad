import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as PubSub from "effect/PubSub"
import * as Stream from "effect/Stream"
import { LeaseLost } from "@loopbox/core/kernel/lease/LeaseLost"
import { dueAfterPoll, lifeAfterPoll } from "@loopbox/core/sync/dueAfterPoll"
import { hintDue, isHinted } from "@loopbox/core/sync/pollHints"
import { type SyncClaim, PollStore } from "@loopbox/core/sync/PollStore"
import { notePolled } from "./memoryHealth.ts"
import type { AccountEntry, MemoryInbox } from "./memoryInbox.ts"
import { completeRun, endTask, waitingRuns } from "./memorySync.ts"
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

export const layer: Layer.Layer<PollStore, never, MemoryState> = Layer.effect(
  PollStore,
  Effect.map(MemoryState, ({ inbox }) =>
    PollStore.of({
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
                state: poll.state,
                ...(poll.life === undefined ? {} : { aliveAt: poll.life.aliveAt })
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
      settle: (claim, { backfills, facts, life, nextPollAt, poll, state }, at) =>
        Effect.map(held(inbox, claim), (entry) => {
          if (Option.isSome(facts)) notePolled(entry, facts.value, at)
          const { feeds, newItems, read, ...before } = entry.poll
          const noted = { aliveAt: Option.fromUndefinedOr(before.life?.aliveAt), dueAt: before.dueAt }
          const hints = isHinted(before.hints) ? before.hints : { ...before.hints, dueAt: Option.none() }
          const dueAt =
            entry.account.status === "connected"
              ? Option.some(dueAfterPoll({ life, nextPollAt, state }, noted, at))
              : Option.none()
          const counts = Option.isSome(poll) ? { read: 0, newItems: 0 } : { read, newItems }
          entry.poll = {
            feeds,
            hints,
            ...counts,
            state,
            life: life === undefined ? before.life : lifeAfterPoll(noted.aliveAt, life),
            dueAt,
            token: undefined,
            leaseUntil: undefined
          }
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
      requests: Stream.unwrap(
        Effect.map(PubSub.subscribe(inbox.requests), (subscription) => Stream.fromSubscription(subscription))
      )
    })
  )
)
