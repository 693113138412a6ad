import type { EntitledCaller } from "@loopbox/core/access/EntitledCaller"
import { Inbox } from "@loopbox/core/inbox/Inbox"
import type { ItemFilter } from "@loopbox/core/inbox/InboxStore"
import { InboxItemId, SocialAccountId } from "@loopbox/core/kernel/Ids"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../api/Api.ts"
import { CurrentEntitlement } from "../api/InboxAccess.ts"
import { type InboxQuery, parseTime, ThreadStateChange } from "../api/InboxQuery.ts"
import { toItemBody } from "../api/ItemBody.ts"
import { defaultLimit } from "../api/ListQuery.ts"
import { Cursors, toPageBody } from "./Cursors.ts"
import { countRefusals, itemRefusals, listRefusals, threadRefusals } from "./inboxRefusals.ts"
import { readJson } from "./readJson.ts"
import { answer } from "./refuse.ts"

const timeOf = (given: string | undefined) => Option.flatMap(Option.fromUndefinedOr(given), parseTime)

const toFilter = (query: InboxQuery): ItemFilter => ({
  source: Option.fromUndefinedOr(query.source),
  isRead: Option.fromUndefinedOr(query.is_read),
  isOwn: Option.fromUndefinedOr(query.is_own),
  threadStatus: Option.fromUndefinedOr(query.thread_status),
  threadKey: Option.fromUndefinedOr(query.thread_key),
  accountId: Option.map(Option.fromUndefinedOr(query.social_account_id), (id) => SocialAccountId.make(id)),
  assignedTo: Option.map(Option.fromUndefinedOr(query.assigned_to), (name) =>
    name === "none" ? Option.none() : Option.some(name)
  ),
  receivedAfter: timeOf(query.received_after),
  receivedBefore: timeOf(query.received_before)
})

const millisOf = (time: Option.Option<DateTime.Utc>) =>
  Option.match(time, { onNone: () => "", onSome: (at) => String(DateTime.toEpochMillis(at)) })

/** A cursor is good for its scope and its filters, by what they mean; `limit` may change. */
const useOf = ({ scope }: EntitledCaller, query: InboxQuery, filter: ItemFilter) => ({
  list: "inbox",
  workspaceId: scope.workspaceId,
  filters: [
    scope._tag === "WorkspaceScope" ? "" : `=${scope.externalUserId}`,
    query.source ?? "",
    String(query.is_read ?? ""),
    String(query.is_own ?? ""),
    query.thread_status ?? "",
    query.thread_key ?? "",
    query.social_account_id ?? "",
    query.assigned_to ?? "",
    millisOf(filter.receivedAfter),
    millisOf(filter.receivedBefore)
  ]
})

const toMove = ({ assigned_to, thread_status }: typeof ThreadStateChange.Type) => ({
  status: thread_status,
  assignedTo: assigned_to === undefined ? undefined : Option.fromNullOr(assigned_to)
})

export const layer = HttpApiBuilder.group(
  Api,
  "inbox",
  Effect.fnUntraced(function* (handlers) {
    const inbox = yield* Inbox
    const cursors = yield* Cursors
    return handlers
      .handleRaw(
        "setThreadState",
        Effect.fnUntraced(function* ({ params }) {
          const caller = yield* CurrentEntitlement
          // Before the body is looked at: another's item is absent, whatever is asked of it (api.md §2).
          yield* inbox.find(caller, params.id)
          const move = toMove(yield* readJson(ThreadStateChange))
          return yield* answer(toItemBody(yield* inbox.setThreadState(caller, params.id, move)))
        }, Effect.catchTags(threadRefusals))
      )
      .handleAll({
        list: Effect.fnUntraced(function* ({ query }) {
          const caller = yield* CurrentEntitlement
          const filter = toFilter(query)
          const use = useOf(caller, query, filter)
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
