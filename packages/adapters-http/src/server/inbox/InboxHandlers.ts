import type { EntitledCaller } from "@loopbox/core/access/EntitledCaller"
import { Inbox } from "@loopbox/core/inbox/Inbox"
import type { ItemFilter, ItemPage } from "@loopbox/core/inbox/InboxStore"
import type { InboxThread } from "@loopbox/core/items/threading/InboxThread"
import { nobody } from "@loopbox/core/threads/judgeMove"
import { Threads } from "@loopbox/core/threads/Threads"
import { parseSearch } from "@loopbox/core/search/SearchQuery"
import { InboxItemId, PostId, SocialAccountId } from "@loopbox/core/kernel/Ids"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../../api/Api.ts"
import { CurrentEntitlement } from "../../api/inbox/InboxAuthorization.ts"
import { type InboxQuery, parseTime, ThreadStateChange } from "../../api/inbox/InboxQuery.ts"
import { toItemBody } from "../../api/inbox/ItemBody.ts"
import { defaultLimit } from "../../api/ListQuery.ts"
import { Cursors, toPageBody } from "../edge/Cursors.ts"
import { listUse, scopeText } from "../edge/listUse.ts"
import { countRefusals, itemRefusals, listRefusals, makeThreadRules, threadRefusals } from "./inboxRefusals.ts"
import { readJson } from "../edge/readJson.ts"
import { answer } from "../edge/refuse.ts"
import { HttpSettings } from "../system/HttpSettings.ts"

const noItems: ItemPage = { items: [], next: Option.none() }

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
    name === nobody ? Option.none() : Option.some(name)
  ),
  receivedAfter: timeOf(query.received_after),
  receivedBefore: timeOf(query.received_before),
  search: Option.flatMap(Option.fromUndefinedOr(query.q), parseSearch)
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

/** The filter within one thread; none: what else is asked for excludes all of it. */
const withinThread = (filter: ItemFilter, { accountId, source, threadKey }: InboxThread): Option.Option<ItemFilter> =>
  [
    [filter.accountId, accountId],
    [filter.source, source],
    [filter.threadKey, threadKey]
  ].some(([asked, is]) => Option.isOption(asked) && Option.isSome(asked) && asked.value !== is)
    ? Option.none()
    : Option.some({
        ...filter,
        accountId: Option.some(accountId),
        source: Option.some(source),
        threadKey: Option.some(threadKey)
      })

export const layer = HttpApiBuilder.group(
  Api,
  "inbox",
  Effect.fnUntraced(function* (handlers) {
    const inbox = yield* Inbox
    const threads = yield* Threads
    const cursors = yield* Cursors
    const filterOf = (caller: EntitledCaller, query: InboxQuery) =>
      query.thread_id === undefined
        ? Effect.succeed(Option.some(toFilter(query)))
        : threads.find(caller, query.thread_id).pipe(
            Effect.map((thread) => withinThread(toFilter(query), thread)),
            Effect.catchTag("ThreadNotFound", () => Effect.succeedNone)
          )
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
          const filter = yield* filterOf(caller, query)
          const use = useOf(caller, query)
          const after = Option.map(yield* cursors.open(use, query.cursor), ({ createdAt, id }) => ({
            receivedAt: createdAt,
            id: InboxItemId.make(id)
          }))
          const { items, next } = Option.isNone(filter)
            ? noItems
            : yield* inbox.list(caller, { ...filter.value, limit: query.limit ?? defaultLimit, after })
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
