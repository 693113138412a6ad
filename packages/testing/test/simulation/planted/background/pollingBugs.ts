import { DateTime, Effect, Option } from "effect"
import type { AccountEntry } from "@loopbox/adapters-memory/memoryInbox"
import { writeEvents } from "@loopbox/adapters-memory/memoryInbox"
import { IngestStore } from "@loopbox/core/inbox/IngestStore"
import { PollStore } from "@loopbox/core/sync/PollStore"
import { SyncStore } from "@loopbox/core/sync/SyncStore"
import { type InboxPorts, type PlantedBug, wrong } from "../PlantedBug.ts"

type Poll = AccountEntry["poll"]

/** What arrives, after which something of the account's poll is put as it is not. */
const afterArrival = (spoil: (after: Poll, was: Poll, isHeard: boolean, now: DateTime.Utc) => Poll) =>
  wrong(IngestStore, (right, { inbox: { accounts } }) =>
    IngestStore.of({
      ...right,
      ingest: (unit) =>
        Effect.suspend(() => {
          const was = accounts.get(unit.accountId)?.poll
          return Effect.tap(right.ingest(unit), () =>
            Effect.sync(() => {
              const entry = accounts.get(unit.accountId)
              if (entry !== undefined && was !== undefined) entry.poll = spoil(entry.poll, was, unit.isHeard, unit.now)
            })
          )
        })
    })
  )

/** The end of a poll, after which something is put as it is not. */
const afterPoll = (spoil: (after: Poll, was: Poll) => Poll) =>
  wrong(PollStore, (right, { inbox: { accounts } }) =>
    PollStore.of({
      ...right,
      settle: (claim, ...of) =>
        Effect.suspend(() => {
          const was = accounts.get(claim.accountId)?.poll
          return Effect.tap(right.settle(claim, ...of), () =>
            Effect.sync(() => {
              const entry = accounts.get(claim.accountId)
              if (entry !== undefined && was !== undefined) entry.poll = spoil(entry.poll, was)
            })
          )
        })
    })
  )

/** When accounts are polled, and what is said of what was read. */
export const pollingBugs: ReadonlyArray<PlantedBug<InboxPorts>> = [
  {
    name: "news of an account do not move its next poll",
    breaks: /news .*do not bring its next poll forward/,
    plant: afterArrival((after, { dueAt }) => ({ ...after, dueAt }))
  },
  {
    name: "news of an account are forgotten once its next poll is moved",
    breaks: /news .*do not bring its next poll forward/,
    plant: afterArrival((after, { life }) => ({ ...after, life }))
  },
  {
    name: "news have an account polled at once, and not within its interval",
    breaks: /news .*do not bring its next poll forward/,
    plant: afterArrival((after, was, isHeard, now) =>
      isHeard && after.life !== was.life ? { ...after, dueAt: Option.some(now) } : after
    )
  },
  {
    name: "whatever is read makes an account lively",
    breaks: /what is no news moves its next poll/,
    plant: afterArrival((after, _was, isHeard, now) =>
      isHeard || after.life === undefined ? after : { ...after, life: { ...after.life, aliveAt: now } }
    )
  },
  {
    name: "news that came amid a poll are forgotten with its end",
    breaks: /as its poll ends: (how alive it is|when it is polled next)/,
    plant: wrong(PollStore, (right, { inbox: { accounts } }) =>
      PollStore.of({
        ...right,
        settle: (claim, settlement, at) =>
          Effect.tap(right.settle(claim, settlement, at), () =>
            Effect.sync(() => {
              const entry = accounts.get(claim.accountId)
              if (entry === undefined || settlement.life === undefined) return
              entry.poll = { ...entry.poll, life: settlement.life, dueAt: settlement.nextPollAt }
            })
          )
      })
    )
  },
  {
    name: "what was announced has an account polled again at once, however short ago that was",
    breaks: /when it is polled for what was announced/,
    plant: wrong(PollStore, (right, { inbox: { accounts } }) =>
      PollStore.of({
        ...right,
        hint: (workspaceId, id, now) =>
          Effect.tap(right.hint(workspaceId, id, now), () =>
            Effect.sync(() => {
              const entry = accounts.get(id)
              if (entry !== undefined)
                entry.poll = { ...entry.poll, hints: { ...entry.poll.hints, dueAt: Option.some(now) } }
            })
          )
      })
    )
  },
  {
    name: "what a dead worker has read is counted again by the next poll",
    breaks: /what counts for the next poll/,
    plant: afterPoll((after, { newItems, read }) => ({ ...after, newItems, read }))
  },
  {
    name: "what a dead worker has read is not told to the one that goes on",
    breaks: /what was read before|says that (it has read )?\d+/,
    plant: wrong(PollStore, (right) =>
      PollStore.of({
        ...right,
        read: (claim) => Effect.map(right.read(claim), (work) => ({ ...work, read: 0, newItems: 0 }))
      })
    )
  },
  {
    name: "who asks for a poll while one waits begins another",
    breaks: /begins beside .*, which waits for the same/,
    plant: wrong(SyncStore, (right) =>
      SyncStore.of({
        ...right,
        start: ({ joinSince: _joinSince, ...run }, judge) => right.start(run, judge)
      })
    )
  },
  {
    name: "the end of a poll that somebody joined is told twice",
    breaks: /the end of .* is told 2 times/,
    plant: wrong(PollStore, (right, { inbox }) =>
      PollStore.of({
        ...right,
        settle: (claim, settlement, at) =>
          Effect.suspend(() => {
            const open = Array.from(inbox.runs.values()).filter(({ isCompleted }) => !isCompleted)
            return Effect.tap(right.settle(claim, settlement, at), () =>
              Effect.sync(() => {
                for (const { isCompleted, run } of open)
                  if (isCompleted) {
                    const { externalUserId, id: syncId, workspaceId } = run
                    writeEvents(
                      inbox,
                      workspaceId,
                      [{ _tag: "SyncCompleted", externalUserId, syncId, newItems: 0 }],
                      at
                    )
                  }
              })
            )
          })
      })
    )
  }
]
