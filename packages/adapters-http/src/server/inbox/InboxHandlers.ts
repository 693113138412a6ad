import type { EntitledCaller } from "@loopbox/core/access/EntitledCaller"
import { Inbox } from "@loopbox/core/inbox/Inbox"
import type { ItemFilter } from "@loopbox/core/inbox/InboxStore"
import { moveThread, ThreadStatus, untouched } from "@loopbox/core/items/Thread"
import { InboxItemId, PostId, SocialAccountId } from "@loopbox/core/kernel/Ids"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../../api/Api.ts"
import { CurrentEntitlement } from "../../api/inbox/InboxAuthorization.ts"
import { type InboxQuery, parseTime, ThreadStateChange } from "../../api/inbox/InboxQuery.ts"
import { toItemBody } from "../../api/inbox/ItemBody.ts"
import { defaultLimit } from "../../api/ListQuery.ts"
import { Cursors, toPageBody } from "../edge/Cursors.ts"
import { listUse, scopeText } from "../edge/listUse.ts"
import { countRefusals, itemRefusals, listRefusals, notAssignable, threadRefusals } from "./inboxRefusals.ts"
import { type GivenBody, readJson } from "../edge/readJson.ts"
import { answer } from "../edge/refuse.ts"
import { HttpSettings } from "../system/HttpSettings.ts"

const timeOf = (given: string | undefined) => Option.flatMap(Option.fromUndefinedOr(given), parseTime)

const toFilter = (query: InboxQuery): ItemFilter => ({
  source: Option.fromUndefinedOr(query.source),
  isRead: Option.fromUndefinedOr(query.is_read),
  isOwn: Option.fromUndefinedOr(query.is_own),
  threadStatus: Option.fromUndefinedOr(query.thread_status),
  threadKey: Option.fromUndefinedOr(query.thread_key),
  postId: Option.map(Option.fromUndefinedOr(query.post_id), (id) => PostId.make(id)),
  accountId: Option.map(Option.fromUndefinedOr(query.social_account_id), (id) => SocialAccountId.make(id)),
  assignedTo: Option.map(Option.fromUndefinedOr(query.assigned_to), (name) =>
    name === "none" ? Option.none() : Option.some(name)
  ),
  receivedAfter: timeOf(query.received_after),
  receivedBefore: timeOf(query.received_before)
})

/** A cursor is good for its scope and its filters, by what they mean; `limit` may change. */
const useOf = ({ scope }: EntitledCaller, query: InboxQuery) =>
  listUse("inbox", scope.workspaceId, query, [
    scopeText(scope._tag === "WorkspaceScope" ? undefined : scope.externalUserId)
  ])

const toMove = ({ assigned_to, thread_status }: typeof ThreadStateChange.Type, isNamedInAny: boolean) => ({
  status: thread_status,
  isNamedInAny,
  assignedTo: assigned_to === undefined ? undefined : Option.fromNullOr(assigned_to)
})

const isThreadStatus = Schema.is(ThreadStatus)

const makeThreadRules =
  (isNamedInAny: boolean) =>
  ({ given: { assigned_to: name, thread_status: status } }: GivenBody) =>
    Effect.succeed(
      isThreadStatus(status) &&
        Predicate.isString(name) &&
        Result.isFailure(moveThread(untouched, { status, isNamedInAny, assignedTo: Option.some(name) }))
        ? [notAssignable]
        : []
    )

export const layer = HttpApiBuilder.group(
  Api,
  "inbox",
  Effect.fnUntraced(function* (handlers) {
    const inbox = yield* Inbox
    const cursors = yield* Cursors
    // UniPost stores a name with any status.
    const isNamedInAny = Option.isSome((yield* HttpSettings).compatibility)
    const threadRules = makeThreadRules(isNamedInAny)
    return handlers
      .handleRaw(
        "setThreadState",
        Effect.fnUntraced(function* ({ params }) {
          const caller = yield* CurrentEntitlement
          // Before the body is looked at: another's item is absent, whatever is asked of it (api.md §2).
          yield* inbox.find(caller, params.id)
          const move = toMove(yield* readJson(ThreadStateChange, { rules: threadRules }), isNamedInAny)
          return yield* answer(toItemBody(yield* inbox.setThreadState(caller, params.id, move)))
        }, Effect.catchTags(threadRefusals))
      )
      .handleAll({
        list: Effect.fnUntraced(function* ({ query }) {
          const caller = yield* CurrentEntitlement
          const filter = toFilter(query)
          const use = useOf(caller, query)
          const after = Option.map(yield* cursors.open(use, query.cursor), ({ createdAt, id }) => ({
            receivedAt: createdAt,
            id: InboxItemId.make(id)
          }))
          const { items, next } = yield* inbox.list(caller, { ...filter, limit: query.limit ?? defaultLimit, after })
          const page = { items, next: Option.map(next, ({ id, receivedAt }) => ({ createdAt: receivedAt, id })) }
          // The hot path: the bodies are made here and typed, so they are not judged once more.
          return HttpServerResponse.jsonUnsafe(yield* toPageBody(cursors, use, page, toItemBody))
        }, Effect.catchTags(listRefusals)),
        countUnread: Effect.fnUntraced(function* () {
          return yield* answer({ count: yield* inbox.countUnread(yield* CurrentEntitlement) })
        }, Effect.catchTags(countRefusals)),
        markAllRead: Effect.fnUntraced(function* () {
          return yield* answer({ marked: yield* inbox.markAllRead(yield* CurrentEntitlement) })
        }, Effect.catchTags(countRefusals)),
        find: Effect.fnUntraced(function* ({ params }) {
          return yield* answer(toItemBody(yield* inbox.find(yield* CurrentEntitlement, params.id)))
        }, Effect.catchTags(itemRefusals)),
        markRead: Effect.fnUntraced(function* ({ params }) {
          yield* inbox.markRead(yield* CurrentEntitlement, params.id)
        }, Effect.catchTags(itemRefusals))
      })
  })
)
