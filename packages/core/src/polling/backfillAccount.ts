import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { FeedPage } from "../networks/Feed.ts"
import { makeAccountReader } from "./AccountReader.ts"
import { pageLimit } from "../sync/backfillRules.ts"
import type { AccountPoll, PollPorts } from "./AccountPoll.ts"
import { stopReasonOf } from "../sync/syncFailures.ts"
import type { AccountSync, StopReason } from "../sync/SyncRun.ts"
import type { BackfillProgress, BackfillTask } from "../sync/PollStore.ts"

/** The part of a page within the bounds. */
const within = ({ activities }: FeedPage, since: DateTime.Utc, remaining: number) => {
  const young = activities.filter(
    (activity) => activity._tag !== "Posted" || !DateTime.isLessThan(activity.receivedAt, since)
  )
  let left = remaining
  const taken = young.filter((activity) => activity._tag !== "Posted" || left-- > 0)
  return { taken, isOver: young.length < activities.length, isCut: taken.length < young.length }
}

/** Why a backfill has ended, by its stored progress; undefined while there may be more to read. */
export const endOf = (progress: BackfillProgress, maxItems: number): StopReason | undefined => {
  if (progress.isCut === true) return "max_items"
  if (progress.isOver === true) return "lookback"
  // Before the first page there is no cursor either.
  if (Option.isNone(progress.cursor) && progress.read > 0) return "end_of_data"
  return progress.read >= maxItems ? "max_items" : undefined
}

/** Reads the past of one X account, page by page, within the requested bounds. Each page is paid for once. */
export const backfillAccount = Effect.fnUntraced(function* (
  { ingest }: PollPorts,
  { account, claim, connector }: AccountPoll,
  task: BackfillTask
) {
  const { maxItems } = task.input
  const since = DateTime.subtract(task.createdAt, { days: task.input.lookbackDays })
  const reader = makeAccountReader(account)
  let progress = task.progress
  let stopped = endOf(progress, maxItems)
  const [step] = connector.pollSteps
  const listed =
    step === undefined ? Option.none() : yield* reader.ask(step, (access) => connector.listFeeds(access, step, since))
  const feed = Option.isSome(listed) && listed.value._tag === "Answered" ? listed.value.value[0] : undefined
  while (stopped === undefined && feed !== undefined) {
    const remaining = maxItems - progress.read
    const request = {
      cursor: progress.cursor,
      checkpoint: Option.none<string>(),
      since: Option.some(since),
      limit: Option.some(pageLimit(remaining))
    }
    const answer = yield* reader.ask(feed.step, (access) => connector.readFeed(access, feed, request))
    if (Option.isNone(answer) || answer.value._tag === "Refused") break
    const page = answer.value.value
    const { isCut, isOver, taken } = within(page, since, remaining)
    const posts = taken.filter(({ _tag }) => _tag === "Posted").length
    const before: BackfillProgress = progress
    const after = (created: number): BackfillProgress => ({
      read: before.read + page.read,
      accepted: before.accepted + created,
      duplicates: before.duplicates + Math.max(0, posts - created),
      suppressed: before.suppressed + page.suppressed,
      cursor: page.next,
      isOver,
      isCut
    })
    const { created } = yield* ingest.ingestPages({
      ...claim,
      pages: [{ activities: taken, requestedAt: page.requestedAt }],
      poll: () => ({
        claim,
        notes: (outcome) => ({
          feeds: [],
          read: 0,
          backfill: Option.some({ runId: task.runId, progress: after(outcome.created) })
        })
      })
    })
    progress = after(created)
    stopped = endOf(progress, maxItems) ?? (Option.isNone(page.next) ? "end_of_data" : undefined)
  }
  const failures = reader.failures()
  const [failure] = failures
  const { accepted, duplicates, read, suppressed } = progress
  const stopReason = stopped ?? (failure === undefined ? "upstream_failed" : stopReasonOf(failure.error))
  const result: AccountSync = {
    accountId: claim.accountId,
    network: claim.network,
    read,
    newItems: accepted,
    nextPollAt: Option.none(),
    errors: failures.map(({ error }) => error),
    backfill: Option.some({ read, accepted, duplicates, suppressed, stopReason })
  }
  return { result, failures }
})
