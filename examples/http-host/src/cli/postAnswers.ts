import * as Schema from "effect/Schema"
import { onOneLine } from "./inboxText.ts"
import { toTable } from "./output.ts"

const text = Schema.NullOr(Schema.String)

export const Target = Schema.Struct({
  id: Schema.String,
  social_account_id: Schema.String,
  network: text,
  status: Schema.String,
  url: text,
  external_id: text,
  error: Schema.NullOr(Schema.Struct({ code: Schema.String, message: Schema.String, retry_at: text }))
})
export type Target = typeof Target.Type

/** What commands show of a post; the rest is left as it came. */
export const Post = Schema.Struct({
  id: Schema.String,
  status: Schema.String,
  text,
  scheduled_at: text,
  warnings: Schema.Array(Schema.Struct({ path: Schema.String, message: Schema.String })),
  targets: Schema.Array(Target),
  created_at: Schema.String
})
export type Post = typeof Post.Type

const longest = 60

const shortened = (given: string | null): string => {
  const line = onOneLine(given ?? "-")
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line
}

/** Posts as a table. */
export const postTable = (posts: ReadonlyArray<Post>): string =>
  toTable(
    ["ID", "STATUS", "CREATED", "AT", "TARGETS", "TEXT"],
    posts.map(({ created_at, id, scheduled_at, status, targets, text: said }) => [
      id,
      status,
      created_at,
      scheduled_at ?? "-",
      targets.map(({ network }) => network ?? "-").join(","),
      shortened(said)
    ])
  )

/** Where a target is, or why it is not there. */
const placeOf = ({ error, external_id, url }: Target): string => {
  if (error === null) return url ?? external_id ?? "-"
  const again = error.retry_at === null ? "" : `; again at ${error.retry_at}`
  return `${error.code}: ${onOneLine(error.message)}${again}`
}

/** Targets as a table. */
export const targetTable = (targets: ReadonlyArray<Target>): string =>
  toTable(
    ["TARGET", "ACCOUNT", "NETWORK", "STATUS", "WHERE"],
    targets.map((target) => [
      target.id,
      target.social_account_id,
      target.network ?? "-",
      target.status,
      placeOf(target)
    ])
  )

/** One post with its targets and warnings. */
export const postLines = (post: Post): string =>
  [
    postTable([post]),
    "",
    targetTable(post.targets),
    ...post.warnings.map(({ message, path }) => `\n${path}: ${onOneLine(message)}`)
  ].join("\n")
