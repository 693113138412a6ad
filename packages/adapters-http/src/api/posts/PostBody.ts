import {
  PostStatus,
  type ShownPost,
  type ShownTarget,
  type TargetFailure,
  TargetStatus
} from "@loopbox/core/items/ShownPost"
import { PublishFailureCode } from "@loopbox/core/networks/publishing/PublishErrors"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Time } from "../DataBody.ts"
import { NetworkName } from "../names.ts"

const text = Schema.NullOr(Schema.String)
const time = Schema.NullOr(Time)

const exampleTarget = {
  id: "ptg_01k9j8p4r6t8v0x2z4b6d8f0h3",
  social_account_id: "acc_01k9j8k0d1f3h5j7m9p1r3t5v7",
  network: "instagram",
  status: "published",
  text: null,
  media_ids: null,
  first_comment: null,
  options: { kind: "reel" },
  external_id: "17895695668004550",
  url: "https://www.instagram.com/reel/DRabc123/",
  attempts: 1,
  error: null,
  published_at: "2026-11-21T07:00:04.120Z"
} as const

const FailureBody = Schema.Struct({
  code: PublishFailureCode,
  message: Schema.String.annotate({ description: "For a person." }),
  retryable: Schema.Boolean.annotate({ description: "Nothing was published, and publishing it again may work." }),
  network_code: text.annotate({ description: "The network's own code." }),
  retry_at: time.annotate({ description: "When it is tried again by machine, or may be tried again." })
})

/** One target of a post. */
export const TargetBody = Schema.Struct({
  id: Schema.String,
  social_account_id: Schema.String,
  network: Schema.NullOr(NetworkName),
  status: TargetStatus,
  text: text.annotate({ description: "Null: that of the post." }),
  media_ids: Schema.NullOr(Schema.Array(Schema.String)).annotate({ description: "Null: those of the post." }),
  first_comment: text,
  options: Schema.Record(
    Schema.String,
    Schema.Union([Schema.String, Schema.Boolean, Schema.Record(Schema.String, Schema.String)])
  ),
  external_id: text.annotate({ description: "The network's id of the post; kept when it is deleted there." }),
  url: text,
  attempts: Schema.Int,
  error: Schema.NullOr(FailureBody),
  published_at: time
}).annotate({ identifier: "PostTarget", examples: [exampleTarget] })

export const WarningBody = Schema.Struct({ path: Schema.String, code: Schema.String, message: Schema.String })

/** A post with its targets (api-2.md §12). */
export const PostBody = Schema.Struct({
  id: Schema.String,
  status: PostStatus,
  text,
  media_ids: Schema.Array(Schema.String),
  scheduled_at: time,
  published_at: time.annotate({ description: "When the first target was published." }),
  warnings: Schema.Array(WarningBody),
  targets: Schema.Array(TargetBody),
  created_at: Time,
  updated_at: Time
}).annotate({
  identifier: "Post",
  examples: [
    {
      id: "pst_01k9j8p4r6t8v0x2z4b6d8f0h2",
      status: "published",
      text: "Our new cat.",
      media_ids: ["med_01k9j8mfa2s4d6f8g0h2j4k6m8"],
      scheduled_at: null,
      published_at: "2026-11-21T07:00:04.120Z",
      warnings: [],
      targets: [exampleTarget],
      created_at: "2026-11-21T07:00:00.000Z",
      updated_at: "2026-11-21T07:00:04.120Z"
    }
  ]
})
export type PostBody = typeof PostBody.Type

const isoOrNull = (at: Option.Option<DateTime.Utc>) => Option.getOrNull(Option.map(at, DateTime.formatIso))

const toFailureBody = ({ code, message, networkCode, retryAt, retryable }: TargetFailure) => ({
  code,
  message,
  retryable,
  network_code: Option.getOrNull(networkCode),
  retry_at: isoOrNull(retryAt)
})

export const toTargetBody = (target: ShownTarget): PostBody["targets"][number] => {
  const { altTexts, values } = target.options
  return {
    id: target.id,
    social_account_id: target.accountId,
    network: Option.getOrNull(target.network),
    status: target.status,
    text: Option.getOrNull(target.text),
    media_ids: Option.getOrNull(target.mediaIds),
    first_comment: Option.getOrNull(target.firstComment),
    options: Object.keys(altTexts).length > 0 ? { ...values, alt_texts: altTexts } : values,
    external_id: Option.getOrNull(target.externalId),
    url: Option.getOrNull(target.url),
    attempts: target.attempts,
    error: Option.getOrNull(Option.map(target.failure, toFailureBody)),
    published_at: isoOrNull(target.publishedAt)
  }
}

export const toPostBody = (post: ShownPost): PostBody => ({
  id: post.id,
  status: post.status,
  text: Option.getOrNull(post.text),
  media_ids: post.mediaIds,
  scheduled_at: isoOrNull(post.scheduledAt),
  published_at: isoOrNull(post.publishedAt),
  warnings: post.warnings,
  targets: post.targets.map(toTargetBody),
  created_at: DateTime.formatIso(post.createdAt),
  updated_at: DateTime.formatIso(post.updatedAt)
})
