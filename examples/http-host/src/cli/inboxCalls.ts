import * as Client from "@loopbox/adapters-http/client/Client"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type { Connection } from "./connection.ts"
import type { Scope } from "./inbox.ts"
import { itemTable, onOneLine, saying } from "./inboxText.ts"
import { note, print, printJson } from "./output.ts"
import { asking, codeOf, findWorkspace } from "./workspaceClient.ts"

/** What every call of the inbox says about whose it is. */
export const scopeOf = ({ externalUserId }: Scope) =>
  Option.match(externalUserId, {
    onNone: () => ({ inbox_scope: "workspace" }),
    onSome: (external_user_id) => ({ inbox_scope: "managed_user", external_user_id })
  })

interface Filters {
  readonly q: Option.Option<string>
  readonly source: Option.Option<string>
  readonly isRead: Option.Option<"true" | "false">
  readonly isOwn: Option.Option<"true" | "false">
  readonly threadStatus: Option.Option<"open" | "assigned" | "resolved">
  readonly threadId: Option.Option<string>
  readonly threadKey: Option.Option<string>
  readonly postId: Option.Option<string>
  readonly socialAccountId: Option.Option<string>
  readonly assignedTo: Option.Option<string>
  readonly receivedAfter: Option.Option<string>
  readonly receivedBefore: Option.Option<string>
  readonly limit: Option.Option<number>
  readonly cursor: Option.Option<string>
}

/** What a member becomes that was given; nothing of one that was not. */
const where = <A, B>(value: Option.Option<A>, toMember: (given: A) => B) =>
  Option.match(value, { onNone: () => ({}), onSome: toMember })

const filterOf = (filters: Filters) => ({
  ...where(filters.q, (q) => ({ q })),
  ...where(filters.source, (source) => ({ source })),
  ...where(filters.isRead, (given) => ({ is_read: given === "true" })),
  ...where(filters.isOwn, (given) => ({ is_own: given === "true" })),
  ...where(filters.threadStatus, (thread_status) => ({ thread_status })),
  ...where(filters.threadId, (thread_id) => ({ thread_id })),
  ...where(filters.threadKey, (thread_key) => ({ thread_key })),
  ...where(filters.postId, (post_id) => ({ post_id })),
  ...where(filters.socialAccountId, (social_account_id) => ({ social_account_id })),
  ...where(filters.assignedTo, (assigned_to) => ({ assigned_to })),
  ...where(filters.receivedAfter, (received_after) => ({ received_after })),
  ...where(filters.receivedBefore, (received_before) => ({ received_before })),
  ...where(filters.limit, (limit) => ({ limit })),
  ...where(filters.cursor, (cursor) => ({ cursor }))
})

export const listItems = Effect.fnUntraced(function* (
  connection: Connection,
  scope: Scope,
  filters: Filters,
  json: boolean
) {
  const workspace = yield* findWorkspace(connection)
  const client = yield* Client.make({ baseUrl: workspace.url, apiKey: workspace.key })
  const { data, next_cursor } = yield* client.inbox
    .list({ headers: {}, query: { ...scopeOf(scope), ...filterOf(filters) } })
    .pipe(asking(workspace.url))
  if (json) return yield* printJson({ data, next_cursor })
  yield* print(data.length === 0 ? "Nothing here." : itemTable(data, process.stdout.columns))
  if (next_cursor !== null) yield* print(`\nThere is more: --cursor ${next_cursor}`)
}, Effect.provide(FetchHttpClient.layer))

interface Answer {
  readonly item: string
  readonly text: Option.Option<string>
  /** Ids, separated by commas. */
  readonly media: Option.Option<string>
  readonly tag: Option.Option<"human_agent">
  readonly key: Option.Option<string>
}

/** Answers after which the reply may have been heard, or will be. */
const isOpen = (code: string | undefined): boolean => code === undefined || code === "X_WRITE_OUTCOME_PENDING"

export const replyTo = Effect.fnUntraced(function* (
  connection: Connection,
  scope: Scope,
  { item, key: given, media, tag, text }: Answer,
  json: boolean
) {
  const workspace = yield* findWorkspace(connection)
  const client = yield* Client.make({ baseUrl: workspace.url, apiKey: workspace.key })
  const random = yield* SecureRandom
  const key = Option.isSome(given) ? given.value : `cli-${yield* random.uuidV4()}`
  const again = note(`With --key ${key} it can be asked again, and is never sent twice.`)
  const sent = yield* client.outbound
    .reply({
      headers: { "idempotency-key": key },
      query: scopeOf(scope),
      params: { id: item },
      payload: {
        ...where(text, (said) => ({ text: said })),
        ...where(media, (ids) => ({ media_ids: ids.split(",").map((id) => id.trim()) })),
        ...where(tag, (tagged) => ({ tag: tagged }))
      }
    })
    .pipe(
      Effect.tapError((error) => Effect.when(again, Effect.succeed(Option.isNone(given) && isOpen(codeOf(error))))),
      asking(workspace.url, "60 seconds")
    )
  if (json) return yield* printJson(sent.data)
  yield* print(`${sent.data.id}  sent: ${saying(sent.data)}`)
}, Effect.provide(FetchHttpClient.layer))

export const resolveThread = Effect.fnUntraced(function* (
  connection: Connection,
  scope: Scope,
  item: string,
  json: boolean
) {
  const workspace = yield* findWorkspace(connection)
  const client = yield* Client.make({ baseUrl: workspace.url, apiKey: workspace.key })
  const { data } = yield* client.inbox
    .setThreadState({
      headers: {},
      query: scopeOf(scope),
      params: { id: item },
      payload: { thread_status: "resolved" }
    })
    .pipe(asking(workspace.url))
  yield* json ? printJson(data) : print(`${data.id}  thread ${onOneLine(data.thread_key)}: ${data.thread_status}`)
}, Effect.provide(FetchHttpClient.layer))
