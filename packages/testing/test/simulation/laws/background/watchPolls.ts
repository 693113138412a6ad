import { DateTime, Duration, Effect, Equal, Layer, Option } from "effect"
import type { AccountEntry, MemoryInbox, RunEntry } from "@loopbox/adapters-memory/memoryInbox"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import { IngestStore } from "@loopbox/core/inbox/IngestStore"
import type { SocialAccountId } from "@loopbox/core/kernel/Ids"
import { type PollNotes, PollStore, type SyncSettlement } from "@loopbox/core/sync/PollStore"
import { StateLaw } from "../watchStates.ts"
import { differing, type Judged, judged } from "./judged.ts"
import { judgeEnd } from "./watchSyncs.ts"

type Poll = AccountEntry["poll"]
type Due = Pick<Poll, "dueAt" | "life">

const isPast = (at: Option.Option<DateTime.Utc>, now: DateTime.Utc) =>
  Option.exists(at, (due) => DateTime.isLessThanOrEqualTo(due, now))

/** News of an account that was quiet for longer than its interval: it is alive, and polled within that. */
const afterNews = ({ dueAt, life, state }: Poll, now: DateTime.Utc): Due => {
  if (life === undefined || Option.isSome(state.wait)) return { dueAt, life }
  const [every_ms, now_ms] = [Duration.toMillis(life.every), now.epochMilliseconds]
  if (life.aliveAt.epochMilliseconds + every_ms >= now_ms) return { dueAt, life }
  const soon = DateTime.addDuration(now, life.every)
  return {
    dueAt: Option.map(dueAt, (due) => DateTime.min(due, soon)),
    life: { ...life, aliveAt: now }
  }
}

const isSameDue = (a: Due, b: Due) => Equal.equals(a.dueAt, b.dueAt) && Equal.equals(a.life, b.life)

/** The tasks of an account that are not done. */
const openTasks = ({ runs }: MemoryInbox, id: SocialAccountId): ReadonlyArray<RunEntry> =>
  Array.from(runs.values()).filter(({ tasks }) => {
    const task = tasks.get(id)
    return task !== undefined && task.result === undefined
  })

const isBackfill = ({ run }: RunEntry) => Option.isSome(run.backfill)

/** What a poll has read is counted, and kept as far as it got, with what was stored of it. */
const judgeProgress = (
  { runs }: MemoryInbox,
  id: SocialAccountId,
  was: Poll,
  after: Poll,
  notes: ReadonlyArray<PollNotes>,
  created: number
): ReadonlyArray<string> => {
  const [noted] = notes
  const feeds = new Map(was.feeds)
  for (const feed of noted?.feeds ?? []) feeds.set(`${feed.source} ${feed.feedId}`, feed)
  const backfill = noted === undefined ? Option.none() : noted.backfill
  const wrong: Array<string> = []
  if (Option.isSome(backfill)) {
    const { progress, runId } = backfill.value
    const kept = runs.get(runId)?.tasks.get(id)
    if (kept !== undefined && !Equal.equals(kept.progress, progress))
      wrong.push(`${id}: how far ${runId} has come is not stored`)
  }
  const isPoll = noted !== undefined && Option.isNone(backfill)
  return [
    ...wrong,
    ...differing(`${id}: its poll`, {
      "how far its feeds are read": [after.feeds, feeds],
      "how much it has read": [after.read, was.read + (noted?.read ?? 0)],
      "how much of that was new": [after.newItems, was.newItems + (isPoll ? created : 0)]
    })
  ]
}

/** What arrives moves the next poll where it is news, and what a poll read is counted with what was stored of it. */
const watchArrivals = (right: IngestStore["Service"], judge: Judged, inbox: MemoryInbox) => {
  /** Units that were done, by the delivery and the account. */
  const done = new Set<string>()
  return IngestStore.of({
    ...right,
    ingest: (unit) => {
      const { accountId, completes, now, workspaceId } = unit
      const notes: Array<PollNotes> = []
      const poll = Option.map(unit.poll, ({ claim, notes: of }) => ({
        claim,
        notes: (outcome: Parameters<typeof of>[0]) => {
          const noted = of(outcome)
          notes.push(noted)
          return noted
        }
      }))
      return judge(
        () => ({ poll: inbox.accounts.get(accountId)?.poll, last: inbox.logs.get(workspaceId)?.last ?? 0 }),
        right.ingest({ ...unit, poll }),
        (before, { created, isRepeated }) => {
          const names = completes.map((id) => `${id} of ${accountId}`)
          const isKnown = names.length > 0 && names.every((name) => done.has(name))
          for (const name of names) done.add(name)
          const [after, was] = [inbox.accounts.get(accountId)?.poll, before.poll]
          if (after === undefined || was === undefined) return []
          const wrong: Array<string> = []
          if (isRepeated !== isKnown)
            wrong.push(`${names.join()} ${isKnown ? "was done before, and counts again" : "counts as done before"}`)
          const wanted = unit.isHeard && !isRepeated ? afterNews(was, now) : was
          if (!isSameDue(after, wanted))
            wrong.push(
              isSameDue(wanted, was)
                ? `${accountId}: what is no news moves its next poll`
                : `${accountId}: news do not bring its next poll forward`
            )
          if (isRepeated) return wrong
          const came = (inbox.logs.get(workspaceId)?.events ?? []).filter(
            ({ event, seq }) => seq > before.last && event._tag === "NewItem"
          ).length
          if (created !== came) wrong.push(`${accountId}: ${came} items are new, and ${created} are counted`)
          return [...wrong, ...judgeProgress(inbox, accountId, was, after, notes, came)]
        }
      )
    }
  })
}

/** Of news that came amid a poll that poll knows nothing: they count all the same, unless the network asks to wait. */
const amidNews = (
  was: Poll,
  { life, state }: SyncSettlement,
  planned: Due["dueAt"]
): readonly [Due["dueAt"], Due["life"]] => {
  if (life === undefined) return [planned, was.life]
  const heardAt = was.life?.aliveAt
  if (heardAt === undefined || !DateTime.isGreaterThan(heardAt, life.aliveAt)) return [planned, life]
  const soon = DateTime.addDuration(heardAt, life.every)
  const due = Option.isSome(state.wait) ? planned : Option.map(planned, (at) => DateTime.min(at, soon))
  return [due, { ...life, aliveAt: heardAt }]
}

/** What a run says of an account is what was stored for it, whoever of several workers has read it. */
const judgeReports = (
  { accountId }: { readonly accountId: SocialAccountId },
  was: Poll,
  { backfills, poll }: SyncSettlement,
  tasks: ReadonlyMap<string, RunEntry["tasks"] extends Map<SocialAccountId, infer Task> ? Task : never>
): ReadonlyArray<string> => {
  const wrong: Array<string> = []
  if (Option.isSome(poll)) {
    const { newItems, read } = poll.value
    if (read !== was.read) wrong.push(`a poll of ${accountId} says that it has read ${read}, and has read ${was.read}`)
    if (newItems !== was.newItems)
      wrong.push(`a poll of ${accountId} says that ${newItems} are new, and ${was.newItems} are`)
  }
  for (const { result, runId } of backfills) {
    const progress = tasks.get(runId)?.progress
    if (progress === undefined || Option.isNone(result.backfill)) continue
    const { accepted, duplicates, read, suppressed } = result.backfill.value
    const isAsStored =
      accepted === progress.accepted &&
      duplicates === progress.duplicates &&
      read === progress.read &&
      suppressed === progress.suppressed
    if (!isAsStored || result.newItems !== accepted)
      wrong.push(`${runId} says of ${accountId} something else than it has stored`)
  }
  return wrong
}

const watchClaims = (right: PollStore["Service"], judge: Judged, inbox: MemoryInbox) => {
  type Request = Parameters<typeof right.claim>[0]
  const isHintDue = ({ account, poll }: AccountEntry, now: DateTime.Utc) =>
    account.status === "connected" && isPast(poll.hints.dueAt, now)
  const isDue = ({ account, poll }: AccountEntry, { isAutomatic, now }: Request) =>
    isAutomatic && account.status === "connected" && isPast(poll.dueAt, now)
  const isAsked = ({ account }: AccountEntry, now: DateTime.Utc) =>
    openTasks(inbox, account.id).some(({ run }) => DateTime.isLessThanOrEqualTo(run.createdAt, now))
  const waiting = (request: Request) =>
    Array.from(inbox.accounts.values()).filter(
      (entry) =>
        entry.account.network === request.network &&
        isPast(Option.some(entry.poll.leaseUntil ?? request.leaseNow), request.leaseNow) &&
        (isHintDue(entry, request.now) || isDue(entry, request) || isAsked(entry, request.now))
    )
  const dueOf = ({ dueAt }: Poll) => Option.match(dueAt, { onNone: () => 0, onSome: (at) => at.epochMilliseconds })
  return PollStore.of({
    ...right,
    claim: (request) =>
      judge(
        () =>
          waiting(request).map((entry) => ({
            id: entry.account.id,
            poll: entry.poll,
            isHinted: isHintDue(entry, request.now),
            isDue: isDue(entry, request)
          })),
        right.claim(request),
        (before, claims) => {
          const wrong: Array<string> = []
          const taken = new Set<string>(claims.map(({ accountId }) => accountId))
          if (claims.length !== Math.min(request.limit, before.length))
            wrong.push(`${before.length} accounts wait for a poll, and ${claims.length} are polled`)
          const left = before.filter(({ id }) => !taken.has(id))
          for (const { accountId, aliveAt, isDue: isSaid, state } of claims) {
            const own = before.find(({ id }) => id === accountId)
            if (own === undefined) {
              wrong.push(`${accountId} is polled, and nobody waits for it`)
              continue
            }
            if (left.some(({ poll }) => dueOf(poll) < dueOf(own.poll)))
              wrong.push(`${accountId} is polled before one that waits for longer`)
            const hints = inbox.accounts.get(accountId)?.poll.hints
            wrong.push(
              ...differing(`${accountId}, as it is given to a poll`, {
                "whether it is due by itself": [isSaid, own.isHinted || own.isDue],
                "what is kept of polls": [state, own.poll.state],
                "when it was alive": [aliveAt, own.poll.life?.aliveAt],
                "whether what was announced of it is taken": [
                  hints,
                  own.isHinted ? { ...own.poll.hints, takenAt: Option.some(request.now) } : own.poll.hints
                ]
              })
            )
          }
          return wrong
        }
      ),
    hint: (workspaceId, accountId, now) =>
      judge(
        () => ({ entry: inbox.accounts.get(accountId), was: inbox.accounts.get(accountId)?.poll }),
        right.hint(workspaceId, accountId, now),
        ({ entry, was }) => {
          if (entry === undefined || was === undefined) return []
          const { hints, state } = was
          const isOurs = entry.account.workspaceId === workspaceId && entry.account.status === "connected"
          const { dueAt, takenAt } = hints
          const isWaiting =
            Option.isSome(dueAt) &&
            (Option.isNone(takenAt) || takenAt.value.epochMilliseconds < dueAt.value.epochMilliseconds)
          const bounds = [
            ...Option.toArray(Option.map(takenAt, (at) => DateTime.addDuration(at, Duration.minutes(1)))),
            ...Option.toArray(Option.map(state.wait, ({ until }) => until))
          ]
          const wanted = !isOurs || isWaiting ? dueAt : Option.some(bounds.reduce(DateTime.max, now))
          return differing(accountId, {
            "when it is polled for what was announced": [entry.poll.hints, { dueAt: wanted, takenAt }],
            "what was announced moves its other polls": [entry.poll.dueAt, was.dueAt]
          })
        }
      ),
    read: (claim) =>
      judge(
        () => undefined,
        right.read(claim),
        (_, work) => {
          const poll = inbox.accounts.get(claim.accountId)?.poll
          const open = openTasks(inbox, claim.accountId)
          if (poll === undefined) return []
          return differing(`the work on ${claim.accountId}`, {
            "how far its feeds are read": [work.feeds, poll.feeds],
            "what was read before": [
              [work.read, work.newItems],
              [poll.read, poll.newItems]
            ],
            "whether it was asked for": [work.isAsked, open.some((one) => !isBackfill(one))],
            "its backfills": [
              work.backfills.map(({ progress, runId }) => [runId, progress]),
              open.filter(isBackfill).map(({ run, tasks }) => [run.id, tasks.get(claim.accountId)?.progress])
            ]
          })
        }
      ),
    settle: (claim, settlement, at) => {
      const id = claim.accountId
      return judge(
        () => {
          const open = openTasks(inbox, id)
          return {
            poll: inbox.accounts.get(id)?.poll,
            open,
            tasks: new Map(open.flatMap(({ run, tasks }) => Option.toArray(taskOf(run.id, tasks.get(id))))),
            last: inbox.logs.get(claim.workspaceId)?.last ?? 0
          }
        },
        right.settle(claim, settlement, at),
        ({ last, open, poll: was, tasks }) => {
          const entry = inbox.accounts.get(id)
          if (was === undefined || entry === undefined) return []
          const { backfills, nextPollAt, poll, state } = settlement
          const after = entry.poll
          const isConnected = entry.account.status === "connected"
          const planned = Option.orElse(nextPollAt, () => Option.orElse(was.dueAt, () => Option.some(at)))
          const [dueAt, alive] = amidNews(was, settlement, planned)
          const isPolled = Option.isSome(poll)
          return [
            ...differing(`${id}, as its poll ends`, {
              "when it is polled next": [after.dueAt, isConnected ? dueAt : Option.none()],
              "how alive it is": [after.life, alive],
              "what is kept of polls": [after.state, state],
              "how far its feeds are read": [after.feeds, was.feeds],
              "what counts for the next poll": [
                [after.read, after.newItems],
                isPolled ? [0, 0] : [was.read, was.newItems]
              ],
              "whether its lease is given back": [after.token, undefined]
            }),
            ...judgeReports(claim, was, settlement, tasks),
            ...open.flatMap((run) => {
              const own = backfills.find(({ runId }) => runId === run.run.id)?.result
              const wanted = isBackfill(run) ? own : Option.getOrUndefined(poll)
              const result = run.tasks.get(id)?.result
              const isAsSaid = Equal.equals(result, wanted)
              return [
                ...(isAsSaid ? [] : [`${run.run.id} is not told what became of ${id}`]),
                ...(wanted === undefined ? [] : judgeEnd(inbox, run, last))
              ]
            })
          ]
        }
      )
    }
  })
}

const taskOf = <Task>(id: string, task: Task | undefined): Option.Option<readonly [string, Task]> =>
  task === undefined ? Option.none() : Option.some([id, task])

/** The ports of polls: when each account is polled, of what, and what is said of it. */
export const watchPolls = Layer.mergeAll(
  Layer.effect(
    IngestStore,
    Effect.gen(function* () {
      return watchArrivals(yield* IngestStore, judged((yield* StateLaw).violations), (yield* MemoryState).inbox)
    })
  ),
  Layer.effect(
    PollStore,
    Effect.gen(function* () {
      return watchClaims(yield* PollStore, judged((yield* StateLaw).violations), (yield* MemoryState).inbox)
    })
  )
)
