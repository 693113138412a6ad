import type { EntitledCaller } from "@loopbox/core/access/EntitledCaller"
import type { ThreadMove } from "@loopbox/core/items/Thread"
import { InboxItemId, SocialAccountId, ThreadId } from "@loopbox/core/kernel/Ids"
import type { LabelsInvalid, SnoozeInvalid } from "@loopbox/core/threads/ThreadErrors"
import { judgeSnooze, nobody } from "@loopbox/core/threads/judgeMove"
import { labelLimits } from "@loopbox/core/threads/judgeLabels"
import { parseSearch } from "@loopbox/core/search/SearchQuery"
import { Threads } from "@loopbox/core/threads/Threads"
import type { ThreadFilter } from "@loopbox/core/threads/ThreadStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../../api/Api.ts"
import { CurrentEntitlement } from "../../api/inbox/InboxAuthorization.ts"
import { parseTime } from "../../api/inbox/InboxQuery.ts"
import { toItemBody } from "../../api/inbox/ItemBody.ts"
import { ThreadBody, toThreadBody } from "../../api/inbox/ThreadBody.ts"
import { ThreadLabels, type ThreadsQuery, ThreadWorkChange } from "../../api/inbox/ThreadsApi.ts"
import { defaultLimit } from "../../api/ListQuery.ts"
import { Cursors, toPageBody } from "../edge/Cursors.ts"
import { listUse, scopeText } from "../edge/listUse.ts"
import { placesOf } from "../edge/issues.ts"
import { type GivenBody, jsonRefusals, readJson } from "../edge/readJson.ts"
import { answer } from "../edge/refuse.ts"
import { plainRequestRefusal, refusePlainRequest } from "../edge/Validation.ts"
import { HttpSettings } from "../system/HttpSettings.ts"
import {
  isThreadStatus,
  listRefusals,
  makeThreadRules,
  moveRefusals,
  threadFindRefusals as findRefusals
} from "./inboxRefusals.ts"

/** What is in answers about a thread. */
const answers = placesOf(ThreadBody)

/** Threads of a page when `limit` is not given. */
const defaultThreads = 25

const itemsRefusals = { ...listRefusals, ...findRefusals }

const snoozeLimits = {
  resolved: "may be given only with open or assigned",
  too_soon: "must be at least 1 minute ahead",
  too_late: "must be at most 90 days ahead"
} as const

const toSnoozeIssue = ({ reason }: SnoozeInvalid) => ({ path: "snoozed_until", message: snoozeLimits[reason] })

/** A time that can't be, told with all other faults of the body. */
const snoozeRules = Effect.fnUntraced(function* ({ given: { snoozed_until, thread_status } }: GivenBody) {
  const snoozedUntil = Predicate.isString(snoozed_until) ? parseTime(snoozed_until) : Option.none()
  const status = isThreadStatus(thread_status) ? thread_status : "open"
  const judged = yield* Effect.result(judgeSnooze({ status, assignedTo: undefined, snoozedUntil }, yield* DateTime.now))
  return Result.isFailure(judged) ? [toSnoozeIssue(judged.failure)] : []
})

const tooManyLabels = { path: "labels", message: "must have at most 20 labels" }

const labelRules = ({ given: { labels } }: GivenBody) =>
  Effect.succeed(Array.isArray(labels) && labels.length > labelLimits.count ? [tooManyLabels] : [])

const stateRefusals = {
  ...moveRefusals,
  ...findRefusals,
  SnoozeInvalid: (error: SnoozeInvalid) => refusePlainRequest([toSnoozeIssue(error)])
}

/** The body was judged already; what is left is a list that core finds wrong. */
const labelRefusals = {
  ...jsonRefusals,
  ...plainRequestRefusal,
  ...findRefusals,
  LabelsInvalid: ({ at }: LabelsInvalid) =>
    refusePlainRequest(
      at.length === 0
        ? [tooManyLabels]
        : at.map((n) => ({ path: `labels[${n}]`, message: "must have 1 to 50 characters, and not only spaces" }))
    )
}

const toFilter = (query: ThreadsQuery): ThreadFilter => ({
  source: Option.fromUndefinedOr(query.source),
  stage: Option.fromUndefinedOr(query.thread_status),
  accountId: Option.map(Option.fromUndefinedOr(query.social_account_id), (id) => SocialAccountId.make(id)),
  assignedTo: Option.map(Option.fromUndefinedOr(query.assigned_to), (name) =>
    name === nobody ? Option.none() : Option.some(name)
  ),
  isUnread: Option.fromUndefinedOr(query.is_unread),
  search: Option.flatMap(Option.fromUndefinedOr(query.q), parseSearch),
  label: Option.fromUndefinedOr(query.label)
})

const scopeOf = ({ scope }: EntitledCaller) =>
  scopeText(scope._tag === "WorkspaceScope" ? undefined : scope.externalUserId)

const toMove = (
  { assigned_to, snoozed_until, thread_status }: typeof ThreadWorkChange.Type,
  isNamedInAny: boolean
): ThreadMove => ({
  status: thread_status,
  isNamedInAny,
  assignedTo: assigned_to === undefined ? undefined : Option.fromNullOr(assigned_to),
  snoozedUntil: snoozed_until === undefined ? undefined : Option.flatMap(Option.fromNullOr(snoozed_until), parseTime)
})

export const layer = HttpApiBuilder.group(
  Api,
  "threads",
  Effect.fnUntraced(function* (handlers) {
    const threads = yield* Threads
    const cursors = yield* Cursors
    // UniPost stores a name with any status.
    const isNamedInAny = Option.isSome((yield* HttpSettings).compatibility)
    const nameRules = makeThreadRules(isNamedInAny)
    const rules = (body: GivenBody) =>
      Effect.map(Effect.all([nameRules(body), snoozeRules(body)]), (issues) => issues.flat())
    return handlers
      .handleRaw(
        "setState",
        Effect.fnUntraced(function* ({ params }) {
          const caller = yield* CurrentEntitlement
          // Before the body is looked at: another's thread is absent, whatever is asked of it (api.md §2).
          yield* threads.find(caller, params.id)
          const move = toMove(yield* readJson(ThreadWorkChange, { rules, answers }), isNamedInAny)
          return yield* answer(toThreadBody(yield* threads.setState(caller, params.id, move)))
        }, Effect.catchTags(stateRefusals))
      )
      .handleRaw(
        "setLabels",
        Effect.fnUntraced(function* ({ params }) {
          const caller = yield* CurrentEntitlement
          yield* threads.find(caller, params.id)
          const { labels } = yield* readJson(ThreadLabels, { rules: labelRules, answers })
          return yield* answer(toThreadBody(yield* threads.setLabels(caller, params.id, labels)))
        }, Effect.catchTags(labelRefusals))
      )
      .handleAll({
        list: Effect.fnUntraced(function* ({ query }) {
          const caller = yield* CurrentEntitlement
          const use = listUse("threads", caller.scope.workspaceId, query, [scopeOf(caller)])
          const after = Option.map(yield* cursors.open(use, query.cursor), ({ createdAt, id }) => ({
            lastItemAt: createdAt,
            id: ThreadId.make(id)
          }))
          const limit = query.limit ?? defaultThreads
          const { next, threads: items } = yield* threads.list(caller, { ...toFilter(query), limit, after })
          const page = { items, next: Option.map(next, ({ id, lastItemAt }) => ({ createdAt: lastItemAt, id })) }
          // The hot path: the bodies are made here and typed, so they are not judged once more.
          return HttpServerResponse.jsonUnsafe(yield* toPageBody(cursors, use, page, toThreadBody))
        }, Effect.catchTags(listRefusals)),
        find: Effect.fnUntraced(function* ({ params }) {
          return yield* answer(toThreadBody(yield* threads.find(yield* CurrentEntitlement, params.id)))
        }, Effect.catchTags(findRefusals)),
        items: Effect.fnUntraced(function* ({ params, query }) {
          const caller = yield* CurrentEntitlement
          const order = query.order ?? "newest"
          // A cursor holds for its order, whether the request that gave it named it or not.
          const asked = { ...query, order: order === "newest" ? undefined : order }
          const use = listUse("thread-items", caller.scope.workspaceId, asked, [scopeOf(caller), params.id])
          const opened = cursors.open(use, query.cursor).pipe(Effect.tapError(() => threads.find(caller, params.id)))
          const after = Option.map(yield* opened, ({ createdAt, id }) => ({
            receivedAt: createdAt,
            id: InboxItemId.make(id)
          }))
          const { items, next } = yield* threads.items(caller, params.id, {
            order,
            limit: query.limit ?? defaultLimit,
            after
          })
          const page = { items, next: Option.map(next, ({ id, receivedAt }) => ({ createdAt: receivedAt, id })) }
          return HttpServerResponse.jsonUnsafe(yield* toPageBody(cursors, use, page, toItemBody))
        }, Effect.catchTags(itemsRefusals)),
        markRead: Effect.fnUntraced(function* ({ params }) {
          return yield* answer({ marked: yield* threads.markRead(yield* CurrentEntitlement, params.id) })
        }, Effect.catchTags(findRefusals))
      })
  })
)
