import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { CommandFailed } from "../CommandFailed.ts"
import type { Connection } from "./connection.ts"
import { ask, hostOf, scopeOf, unreadable, withQuery } from "./hostAnswers.ts"
import { callHost, type HostAccess, type HostCall, listAll, segment } from "./hostCalls.ts"
import { note, print, printJson } from "./output.ts"
import { Post, postLines, postTable, Target, targetTable } from "./postAnswers.ts"
import { given } from "./sandboxInputs.ts"

/** What every command of posts is told. */
export interface PostAsker {
  readonly connection: Connection
  readonly externalUserId: Option.Option<string>
  readonly json: boolean
}

export interface NewPost {
  /** Or the id of a draft. */
  readonly text: Option.Option<string>
  /** As given: separated by commas. */
  readonly accounts: Option.Option<string>
  readonly media: Option.Option<string>
  readonly firstComment: Option.Option<string>
  readonly at: Option.Option<string>
  readonly key: Option.Option<string>
  readonly isDraft: boolean
  readonly noWait: boolean
}

const pathOf = ({ externalUserId }: PostAsker, path: string, query: Readonly<Record<string, string>> = {}) =>
  withQuery(path, { ...scopeOf(externalUserId), ...query })

const postPath = (asker: PostAsker, id: string, more = "") => pathOf(asker, `/v1/posts/${segment(id)}${more}`)

const split = (ids: Option.Option<string>): ReadonlyArray<string> =>
  Option.match(ids, { onNone: () => [], onSome: (text) => text.split(",").map((id) => id.trim()) })

const bodyOf = ({ accounts, at, firstComment, isDraft, media, text }: NewPost) => ({
  ...given({ text, scheduled_at: at }),
  media_ids: split(media),
  targets: split(accounts).map((social_account_id) => ({
    social_account_id,
    ...given({ first_comment: firstComment })
  })),
  ...(isDraft ? { status: "draft" } : {})
})

const pollEvery = "1 second"

/** A host that is away for a while is waited for: what it accepted goes on when it is back. */
const patience = Schedule.spaced(pollEvery).pipe(Schedule.upTo({ duration: "2 minutes" }))

const awaitEnd = Effect.fnUntraced(function* (asker: PostAsker, host: HostAccess, id: string) {
  for (;;) {
    const found = yield* Effect.retry(ask(host, { method: "GET", path: postPath(asker, id) }, Post), patience)
    if (found.read.status !== "publishing") return found
    yield* Effect.sleep(pollEvery)
  }
})

const isDraftId = (text: string): boolean => /^pst_[0-9a-z]{26}$/.test(text)

/** What hands the post in: a new one, or a draft that is there. */
const callOf = Effect.fnUntraced(function* (asker: PostAsker, post: NewPost) {
  const { accounts, key: named, text } = post
  if (Option.exists(text, isDraftId) && Option.isNone(accounts)) {
    const call: HostCall = {
      method: "POST",
      path: postPath(
        asker,
        Option.getOrElse(text, () => ""),
        "/publish"
      )
    }
    return { call, key: Option.none<string>() }
  }
  if (Option.isNone(accounts)) {
    return yield* new CommandFailed({ message: "Say where: --accounts, or give the id of a draft.", isMisuse: true })
  }
  const random = yield* SecureRandom
  const key = Option.isSome(named) ? named.value : `cli-${yield* random.uuidV4()}`
  const headers = { "idempotency-key": key }
  const call: HostCall = { method: "POST", path: pathOf(asker, "/v1/posts"), body: bodyOf(post), headers }
  return { call, key: Option.isNone(named) ? Option.some(key) : Option.none() }
})

/** Hands a post in and waits for its end; fails unless all of its targets are published, so that a script sees it. */
export const publishPost = Effect.fnUntraced(function* (asker: PostAsker, post: NewPost) {
  const host = yield* hostOf(asker.connection)
  const { call, key } = yield* callOf(asker, post)
  const made = yield* Effect.tapError(ask(host, call, Post), (error) =>
    // What was refused was not made: there is nothing to ask for again.
    Option.isSome(key) && error.code === undefined
      ? note(`With --key ${key.value} it can be asked again, and is never published twice.`)
      : Effect.void
  )
  const isWaitedFor = made.read.status === "publishing" && !post.noWait
  if (isWaitedFor) yield* note(`${made.read.id} is being published. Waiting; Ctrl-C ends only that.`)
  const ended = isWaitedFor ? yield* awaitEnd(asker, host, made.read.id) : made
  yield* asker.json ? printJson(ended.data) : print(postLines(ended.read))
  if (ended.read.status === "failed" || ended.read.status === "partial") {
    return yield* new CommandFailed({ message: `${ended.read.id} is ${ended.read.status}.` })
  }
})

const decodePosts = Schema.decodeUnknownOption(Schema.Array(Post))

export const listPosts = Effect.fnUntraced(function* (
  asker: PostAsker,
  { account, status }: { readonly status: Option.Option<string>; readonly account: Option.Option<string> }
) {
  const host = yield* hostOf(asker.connection)
  const query = {
    ...Option.match(status, { onNone: () => ({}), onSome: (one) => ({ status: one }) }),
    ...Option.match(account, { onNone: () => ({}), onSome: (one) => ({ social_account_id: one }) })
  }
  const found = yield* listAll(host, pathOf(asker, "/v1/posts", query))
  if (asker.json) return yield* printJson(found)
  const posts = decodePosts(found)
  if (Option.isNone(posts)) return yield* unreadable(host.url)
  yield* print(posts.value.length === 0 ? "Nothing here." : postTable(posts.value))
})

/** Reads a post, or takes back what of it has not begun. */
export const askPost = Effect.fnUntraced(function* (asker: PostAsker, id: string, act: "get" | "cancel") {
  const host = yield* hostOf(asker.connection)
  const call: HostCall =
    act === "get"
      ? { method: "GET", path: postPath(asker, id) }
      : { method: "POST", path: postPath(asker, id, "/cancel") }
  const { data, read } = yield* ask(host, call, Post)
  yield* asker.json ? printJson(data) : print(postLines(read))
})

/** Tries a failed target again, or deletes a published one on its network. */
export const askTarget = Effect.fnUntraced(function* (
  asker: PostAsker,
  { act, post, target }: { readonly post: string; readonly target: string; readonly act: "retry" | "delete" }
) {
  const host = yield* hostOf(asker.connection)
  const path = `/targets/${segment(target)}`
  const call: HostCall =
    act === "retry"
      ? { method: "POST", path: postPath(asker, post, `${path}/retry`) }
      : { method: "DELETE", path: postPath(asker, post, path) }
  const { data, read } = yield* ask(host, call, Target)
  yield* asker.json ? printJson(data) : print(targetTable([read]))
})

/** Deletes a draft or an ended post here. */
export const deletePost = Effect.fnUntraced(function* (asker: PostAsker, id: string) {
  const host = yield* hostOf(asker.connection)
  yield* callHost(host, { method: "DELETE", path: postPath(asker, id) })
  yield* asker.json ? printJson({ id, deleted: true }) : print(`${id} is deleted here, and stays on its networks.`)
})
