import { KnownSource } from "@loopbox/core/networks/known"
import { parseSearch, searchLength } from "@loopbox/core/search/SearchQuery"
import { PostId, SocialAccountId, ThreadId } from "@loopbox/core/kernel/Ids"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { threadStatuses } from "./ItemBody.ts"
import { limitUpTo, listQuery } from "../ListQuery.ts"
import { textWith } from "../storableText.ts"

const isAccountId = Schema.is(SocialAccountId)
const isPostId = Schema.is(PostId)
const isThreadId = Schema.is(ThreadId)

/** What every inbox endpoint takes; judged before anything else, from the query as it came. */
export const scopeQuery = {
  inbox_scope: Schema.optionalKey(
    Schema.String.annotate({ description: "`managed_user` or `workspace`; an API key must name it." })
  ),
  external_user_id: Schema.optionalKey(
    Schema.String.annotate({
      description: "The managed user, exactly as given at its making; only with `managed_user`."
    })
  )
}

/** Likewise where the scope may be left out by an API key, too: then it is the workspace (api-2.md). */
export const optionalScopeQuery = {
  ...scopeQuery,
  inbox_scope: Schema.optionalKey(
    Schema.String.annotate({ description: "`managed_user` or `workspace`, which it is unless said otherwise." })
  )
}

/** A dashboard token without a workspace of its own names it here. */
export const scopeHeaders = { "x-workspace-id": Schema.optionalKey(Schema.String) }

/** Exactly `true` or `false`. */
const QueryBoolean = Schema.Literals(["true", "false"]).pipe(
  Schema.decodeTo(
    Schema.Boolean,
    SchemaTransformation.transform({
      decode: (text) => text === "true",
      encode: (value) => (value ? "true" : "false")
    })
  )
)

/** Text of a filter. */
export const text = (maxLength: number) =>
  textWith((given) => {
    const { length } = Array.from(given)
    return length >= 1 && length <= maxLength
  }, `must have 1 to ${maxLength} characters`)

/** What is said of a search that can't be made. */
const searchRule =
  `must have ${searchLength.least} to ${searchLength.most} characters, among them a letter or a digit, ` +
  "or a symbol, which may stand alone"

const rfc3339 =
  /^((\d{4}-(?:0[1-9]|1[0-2])-\d\d)[Tt](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,3})?)((?<=\.\d{3})\d+)?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

/**
 * A time of RFC 3339; absent when the text is none, or its day is not in its month. What is finer than a millisecond is
 * rounded up: items have whole ones, so that "from then on" and "before" stay what they are.
 */
export const parseTime = (given: string): Option.Option<DateTime.Utc> => {
  const [, toMillis, day, finer = "", zone = ""] = rfc3339.exec(given) ?? []
  if (toMillis === undefined || day === undefined) return Option.none()
  const midnight = DateTime.make(`${day}T00:00:00.000Z`)
  if (Option.isNone(midnight) || !DateTime.formatIso(midnight.value).startsWith(day)) return Option.none()
  const milliseconds = /[1-9]/.test(finer) ? 1 : 0
  return Option.map(DateTime.make(`${toMillis}${zone}`.toUpperCase()), (time) =>
    DateTime.add(DateTime.toUtc(time), { milliseconds })
  )
}

/** A time as text; `+` in a query is a space, so an offset has to be escaped. */
export const TimeText = Schema.String.check(
  Schema.makeFilter((given: string) => (Option.isSome(parseTime(given)) ? undefined : "must be a time of RFC 3339"))
)

/** The id of a social account, as a filter. */
export const AccountIdText = Schema.String.check(
  Schema.makeFilter((given: string) => (isAccountId(given) ? undefined : "must be the id of a social account"))
)

/** The id of a post, as a filter. */
const PostIdText = Schema.String.check(
  Schema.makeFilter((given: string) => (isPostId(given) ? undefined : "must be the id of a post"))
)

/** The id of a thread, as a filter. */
const ThreadIdText = Schema.String.check(
  Schema.makeFilter((given: string) => (isThreadId(given) ? undefined : "must be the id of a thread"))
)

/** What `GET /v1/inbox` takes; anything else is refused by name (api.md §3). */
export const inboxQuery = {
  ...scopeQuery,
  cursor: listQuery.cursor,
  limit: Schema.optionalKey(limitUpTo(500)),
  source: Schema.optionalKey(KnownSource),
  is_read: Schema.optionalKey(QueryBoolean),
  is_own: Schema.optionalKey(QueryBoolean),
  thread_status: Schema.optionalKey(Schema.Literals(threadStatuses)),
  thread_id: Schema.optionalKey(
    ThreadIdText.annotate({ description: "Items of one thread; `thread_key` alone may be of several." })
  ),
  thread_key: Schema.optionalKey(text(512)),
  post_id: Schema.optionalKey(
    PostIdText.annotate({ description: "Comments on a post that was published here, and answers to them." })
  ),
  q: Schema.optionalKey(
    Schema.String.check(
      Schema.makeFilter((given: string) => (Option.isSome(parseSearch(given)) ? undefined : searchRule))
    ).annotate({
      description:
        "Items that have every word of it in their text or their author's name, the last one as the beginning of a word. " +
        "Case and accents don't count; symbols such as emoji are words, and one of them is enough. In scripts without " +
        `spaces any part is found. ${searchLength.least} to ${searchLength.most} characters, by code points.`
    })
  ),
  social_account_id: Schema.optionalKey(AccountIdText),
  assigned_to: Schema.optionalKey(
    text(256).annotate({ description: "Whom the thread is assigned to; `none` asks for nobody's." })
  ),
  received_after: Schema.optionalKey(TimeText.annotate({ description: "Inclusive.", format: "date-time" })),
  received_before: Schema.optionalKey(TimeText.annotate({ description: "Exclusive.", format: "date-time" }))
}
export const InboxQuery = Schema.Struct(inboxQuery)
export type InboxQuery = typeof InboxQuery.Type

/** The name that a thread is given. */
export const ThreadStateChange = Schema.Struct({
  thread_status: Schema.Literals(threadStatuses),
  assigned_to: Schema.optionalKey(
    Schema.NullOr(textWith((given) => Array.from(given).length <= 256, "must have at most 256 characters")).annotate({
      description:
        'With `assigned` or `resolved`; absent keeps the name, null and `""` clear it, and so does `open`. ' +
        "Any name but `none`, by which lists are asked for nobody's."
    })
  )
}).annotate({ examples: [{ thread_status: "assigned", assigned_to: "kim" }] })
