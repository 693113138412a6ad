import type { PostInput, TargetInput } from "@loopbox/core/posts/PostInput"
import type { PostChange } from "@loopbox/core/posts/editPost"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { parseTime, TimeText } from "../inbox/InboxQuery.ts"
import { StorableText } from "../storableText.ts"

const optional = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

/** A thousand are more than any network takes; the true limit is the network's. */
const MediaIds = Schema.Array(Schema.String).check(
  Schema.makeFilter((given: ReadonlyArray<string>) => (given.length > 1000 ? "must have at most 1000 ids" : undefined))
)

/** The length of a text is judged as each network counts it. */
const TargetInputBody = Schema.Struct({
  social_account_id: Schema.String,
  text: optional(StorableText).annotate({ description: "Null: that of the post; an empty one is no text." }),
  media_ids: optional(MediaIds).annotate({ description: "Null: those of the post; an empty list is no file." }),
  first_comment: optional(StorableText).annotate({
    description:
      "Written under the post by the same account, once. The warning `first_comment_failed` says that it is not there, " +
      "`first_comment_unknown` that half an hour of looking did not show whether it is."
  }),
  options: optional(
    Schema.Record(
      Schema.String,
      Schema.Union([
        StorableText,
        Schema.Boolean,
        Schema.Record(Schema.String, Schema.NullOr(StorableText)),
        Schema.Null
      ])
    )
  ).annotate({
    description:
      "Instagram `kind` (`feed`, `reel`, `story`), `share_to_feed`; Facebook `kind` (`feed`, `reel`), `link`, `title`; " +
      "Threads `reply_control`, `topic_tag`; X `reply_settings`; all `alt_texts`, by media id."
  })
})

const members = {
  text: optional(StorableText),
  media_ids: optional(MediaIds),
  targets: optional(Schema.Array(TargetInputBody)).annotate({ description: "1 to 50, each account once." }),
  scheduled_at: optional(TimeText).annotate({
    description: "60 seconds to 90 days ahead; absent: now.",
    format: "date-time"
  })
}

const example = {
  text: "Our new cat.",
  media_ids: ["med_01k9j8mfa2s4d6f8g0h2j4k6m8"],
  targets: [
    { social_account_id: "acc_01k9j8k0d1f3h5j7m9p1r3t5v7", options: { kind: "reel" } },
    { social_account_id: "acc_01k9j8k0d1f3h5j7m9p1r3t5v8", text: "Our new cat, on X.", first_comment: "More soon." }
  ]
} as const

/** A new post. Unless it is a draft it goes out now, or at its time. */
export const NewPostBody = Schema.Struct({ ...members, status: optional(Schema.Literal("draft")) }).annotate({
  examples: [example]
})

/** A change of a draft, or of the time of a scheduled post: what is absent stays, null clears. */
export const PostChangeBody = Schema.Struct(members).annotate({
  examples: [{ scheduled_at: "2026-11-24T07:00:00.000Z" }]
})

type Given = NonNullable<(typeof NewPostBody.Type)["targets"]>[number]

/** The members that have a value: null is as absent (api.md §1). */
const valued = <A>(members: Readonly<Record<string, A | null>>): ReadonlyArray<readonly [string, A]> =>
  Object.entries(members).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))

const toTargetInput = (body: Given): TargetInput => {
  const rest: Record<string, string | boolean> = {}
  let altTexts: Readonly<Record<string, string>> = {}
  for (const [name, value] of valued(body.options ?? {})) {
    // An `alt_texts` that is no record stays an option, which no network knows.
    if (name === "alt_texts" && typeof value === "object") altTexts = Object.fromEntries(valued(value))
    else rest[name] = typeof value === "object" ? "an object" : value
  }
  return {
    accountId: body.social_account_id,
    text: Option.fromNullishOr(body.text),
    mediaIds: Option.fromNullishOr(body.media_ids),
    firstComment: Option.fromNullishOr(body.first_comment),
    options: { values: rest, altTexts }
  }
}

const toTime = (given: string | null | undefined) => Option.flatMap(Option.fromNullishOr(given), parseTime)

export const toPostInput = (body: typeof NewPostBody.Type): PostInput => ({
  text: Option.fromNullishOr(body.text),
  mediaIds: body.media_ids ?? [],
  targets: (body.targets ?? []).map(toTargetInput),
  scheduledAt: toTime(body.scheduled_at),
  isDraft: body.status === "draft"
})

export const toPostChange = (body: typeof PostChangeBody.Type): PostChange => ({
  text: body.text === undefined ? undefined : Option.fromNullishOr(body.text),
  mediaIds: body.media_ids === undefined ? undefined : (body.media_ids ?? []),
  targets: body.targets === undefined ? undefined : (body.targets ?? []).map(toTargetInput),
  scheduledAt: body.scheduled_at === undefined ? undefined : toTime(body.scheduled_at)
})
