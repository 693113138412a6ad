import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { InboxAccess } from "@loopbox/core/access/InboxAccess"
import type { ThreadStatus } from "@loopbox/core/items/Thread"
import { SocialAccountId, ThreadId } from "@loopbox/core/kernel/Ids"
import type { Source } from "@loopbox/core/networks/Source"
import type { LabelCount } from "@loopbox/core/threads/judgeLabels"
import type { Threads } from "@loopbox/core/threads/Threads"
import type { ThreadStage } from "@loopbox/core/threads/ThreadStage"
import type { ThreadQuery } from "@loopbox/core/threads/ThreadStore"
import type { PlainItemPage } from "./inboxFacade.ts"
import { inRange } from "./inRange.ts"
import { Moment, type PlainItemPlace, toItemPosition } from "./places.ts"
import { type PlainThread, toPlainItem, toPlainThread } from "./plainInbox.ts"
import type { CallOptions, Run } from "./run.ts"
import { toSearch } from "./toSearch.ts"
import { toPlain } from "./toPlain.ts"
import { makeWithin, type PlainScope } from "./within.ts"
import { toOptionalMoment } from "./toMoment.ts"

/** The end of a page of threads; may be serialised as JSON. */
export interface PlainThreadPlace {
  readonly lastItemAt: Date | string
  readonly id: string
}

/** The filters of a list, the newest last item first; 25 threads by default. Absent and null filters match everything. */
export interface ThreadListRequest {
  /** 1–100. */
  readonly limit?: number | undefined
  /** `next` of the previous page. */
  readonly after?: PlainThreadPlace | null | undefined
  readonly source?: Source | null | undefined
  /** Snoozed threads are found by `snoozed` only. */
  readonly threadStatus?: ThreadStage | null | undefined
  readonly accountId?: string | null | undefined
  /** An assignee, or `{ nobody: true }` for unassigned threads. */
  readonly assignedTo?: string | { readonly nobody: true } | null | undefined
  readonly isUnread?: boolean | null | undefined
  /**
   * Every word is in one item of the thread, in its text or its author's name; the last one is the beginning of a word. 2 to
   * 200 characters or one symbol, else `SearchInvalid`.
   */
  readonly q?: string | null | undefined
  /** Case does not count. */
  readonly label?: string | null | undefined
}

/** A page of threads. Only `next: null` means the end, even after a short page. */
export interface PlainThreadPage {
  readonly threads: ReadonlyArray<PlainThread>
  readonly next: PlainThreadPlace | null
}

/** Threads as records (api-2.md §14). One that is not in the scope rejects with `ThreadNotFound`. */
export interface ThreadsFacade {
  readonly list: (scope: PlainScope, request?: ThreadListRequest, options?: CallOptions) => Promise<PlainThreadPage>
  readonly find: (scope: PlainScope, id: string, options?: CallOptions) => Promise<PlainThread>
  /** 50 items by default, the newest first. */
  readonly items: (
    scope: PlainScope,
    id: string,
    request?: {
      readonly order?: "newest" | "oldest" | undefined
      /** 1–500. */
      readonly limit?: number | undefined
      readonly after?: PlainItemPlace | null | undefined
    },
    options?: CallOptions
  ) => Promise<PlainItemPage>
  /** Returns how many items were not read. */
  readonly markRead: (scope: PlainScope, id: string, options?: CallOptions) => Promise<number>
  /**
   * A name is for `assigned` and `resolved`, a snooze (1 minute to 90 days, else `SnoozeInvalid`) for `open` and
   * `assigned`; left out they stay, `null` ends them.
   */
  readonly setState: (
    scope: PlainScope,
    id: string,
    state: {
      readonly threadStatus: ThreadStatus
      readonly assignedTo?: string | null | undefined
      readonly snoozedUntil?: Date | null | undefined
    },
    options?: CallOptions
  ) => Promise<PlainThread>
  /** In place of those that it has: at most 20 of 1–50 characters, else `LabelsInvalid`. */
  readonly setLabels: (
    scope: PlainScope,
    id: string,
    labels: ReadonlyArray<string>,
    options?: CallOptions
  ) => Promise<PlainThread>
}

/** Labels of the scope's threads (api-2.md §14). */
export interface LabelsFacade {
  /** The most used by open threads first; 1,000 at most. */
  readonly list: (scope: PlainScope, options?: CallOptions) => Promise<ReadonlyArray<LabelCount>>
}

const decodePlace = Schema.decodeUnknownEffect(
  Schema.Struct({ after: Schema.NullOr(Schema.Struct({ lastItemAt: Moment, id: ThreadId })) })
)

const isAccountId = Schema.is(SocialAccountId)

const noThreads: PlainThreadPage = { threads: [], next: null }

/** The query, or `none` if the id of its account is malformed: nothing can match. */
const toQuery = Effect.fnUntraced(function* (request: ThreadListRequest) {
  const limit = yield* inRange("limit", request.limit ?? 25, 100)
  const { after } = yield* decodePlace({ after: request.after ?? null })
  const accountId = Option.fromNullishOr(request.accountId)
  if (Option.isSome(accountId) && !isAccountId(accountId.value)) return Option.none<ThreadQuery>()
  return Option.some<ThreadQuery>({
    limit,
    after: Option.fromNullOr(after),
    source: Option.fromNullishOr(request.source),
    stage: Option.fromNullishOr(request.threadStatus),
    accountId: Option.filter(accountId, isAccountId),
    assignedTo: Option.map(Option.fromNullishOr(request.assignedTo), (name) =>
      typeof name === "string" ? Option.some(name) : Option.none()
    ),
    isUnread: Option.fromNullishOr(request.isUnread),
    search: yield* toSearch(request.q),
    label: Option.fromNullishOr(request.label)
  })
})

export const makeThreadsFacade = (
  access: InboxAccess["Service"],
  threads: Threads["Service"],
  run: Run
): ThreadsFacade => {
  const within = makeWithin(access)
  return {
    list: (scope, request = {}, options) =>
      run(
        within(
          scope,
          Effect.fnUntraced(function* (caller) {
            const query = yield* toQuery(request)
            if (Option.isNone(query)) return noThreads
            const page = yield* threads.list(caller, query.value)
            return { threads: page.threads.map(toPlainThread), next: toPlain(page.next) }
          })
        ),
        options
      ),
    find: (scope, id, options) =>
      run(
        within(scope, (caller) => Effect.map(threads.find(caller, id), toPlainThread)),
        options
      ),
    items: (scope, id, { after, limit, order } = {}, options) =>
      run(
        within(
          scope,
          Effect.fnUntraced(function* (caller) {
            const page = yield* threads.items(caller, id, {
              order: order ?? "newest",
              limit: yield* inRange("limit", limit ?? 50, 500),
              after: yield* toItemPosition(after)
            })
            return { items: page.items.map(toPlainItem), next: toPlain(page.next) }
          })
        ),
        options
      ),
    markRead: (scope, id, options) =>
      run(
        within(scope, (caller) => threads.markRead(caller, id)),
        options
      ),
    setState: (scope, id, { assignedTo, snoozedUntil, threadStatus }, options) =>
      run(
        within(scope, (caller) =>
          toOptionalMoment("snoozedUntil", snoozedUntil).pipe(
            Effect.flatMap((until) =>
              threads.setState(caller, id, {
                status: threadStatus,
                assignedTo: assignedTo === undefined ? undefined : Option.fromNullOr(assignedTo),
                snoozedUntil: snoozedUntil === undefined ? undefined : until
              })
            ),
            Effect.map(toPlainThread)
          )
        ),
        options
      ),
    setLabels: (scope, id, labels, options) =>
      run(
        within(scope, (caller) => Effect.map(threads.setLabels(caller, id, labels), toPlainThread)),
        options
      )
  }
}

export const makeLabelsFacade = (
  access: InboxAccess["Service"],
  threads: Threads["Service"],
  run: Run
): LabelsFacade => {
  const within = makeWithin(access)
  return {
    list: (scope, options) =>
      run(
        within(scope, (caller) => threads.labels(caller)),
        options
      )
  }
}
