import type * as DateTime from "effect/DateTime"
import type * as Option from "effect/Option"
import type { PublishOptions } from "../networks/publishing/Publication.ts"

/** One account to which a post is to go. */
export interface TargetInput {
  readonly accountId: string
  /** `none`: that of the post; an empty one is no text. */
  readonly text: Option.Option<string>
  /** `none`: those of the post; an empty list is no file. */
  readonly mediaIds: Option.Option<ReadonlyArray<string>>
  /** Written under the post by the same account. An empty one is none. */
  readonly firstComment: Option.Option<string>
  readonly options: PublishOptions
}

/** A post as it was asked for. */
export interface PostInput {
  readonly text: Option.Option<string>
  readonly mediaIds: ReadonlyArray<string>
  readonly targets: ReadonlyArray<TargetInput>
  /** 60 seconds to 90 days ahead; `none`: now. */
  readonly scheduledAt: Option.Option<DateTime.Utc>
  /** Kept until it is published. */
  readonly isDraft: boolean
}

/** The text of a target, the post's if it has none of its own; empty if there is none. */
export const textOf = (
  post: { readonly text: Option.Option<string> },
  target: { readonly text: Option.Option<string> }
): string => {
  const own = target.text._tag === "Some" ? target.text : post.text
  return own._tag === "Some" ? own.value : ""
}

/** The files of a target, the post's if it has none of its own. */
export const mediaIdsOf = <Id extends string>(
  post: { readonly mediaIds: ReadonlyArray<Id> },
  target: { readonly mediaIds: Option.Option<ReadonlyArray<Id>> }
): ReadonlyArray<Id> => (target.mediaIds._tag === "Some" ? target.mediaIds.value : post.mediaIds)
