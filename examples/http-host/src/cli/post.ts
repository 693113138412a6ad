import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { connectionFlags } from "./connection.ts"
import { jsonFlag } from "./output.ts"
import type { PostAsker } from "./postCalls.ts"
import { textFlag } from "./sandboxInputs.ts"

const postCalls = Effect.promise(() => import("./postCalls.ts"))

const commonFlags = {
  externalUserId: textFlag("external-user-id", "Only what this managed user owns; without it the whole workspace"),
  ...connectionFlags,
  json: jsonFlag
}

interface CommonFlags {
  readonly externalUserId: Option.Option<string>
  readonly url: Option.Option<string>
  readonly apiKeyFile: Option.Option<string>
  readonly json: boolean
}

const askerOf = ({ apiKeyFile, externalUserId, json, url }: CommonFlags): PostAsker => ({
  connection: { url, apiKeyFile },
  externalUserId,
  json
})

const postArgument = Argument.String("post").pipe(Argument.withDescription("The post's id: pst_…"))
const targetArgument = Argument.String("target").pipe(Argument.withDescription("The target's id: ptg_…"))

const publish = Command.make(
  "publish",
  {
    text: Argument.String("text").pipe(
      Argument.optional,
      Argument.withDescription("What it says; or, without --accounts, the id of a draft that is to go out")
    ),
    accounts: textFlag("accounts", "Where: ids of accounts, separated by commas"),
    media: textFlag("media", "Files: their ids, separated by commas"),
    firstComment: textFlag("first-comment", "What each account writes under it"),
    at: textFlag("at", "When, as 2027-01-31T12:00:00Z: 60 seconds to 90 days ahead; now if left out"),
    isDraft: Flag.Boolean("draft").pipe(Flag.withDefault(false), Flag.withDescription("Keep it, and publish it later")),
    key: textFlag(
      "key",
      "Idempotency key: the same key and post are one post, however often you ask. One is made if left out"
    ),
    noWait: Flag.Boolean("no-wait").pipe(Flag.withDefault(false), Flag.withDescription("Only hand it in")),
    ...commonFlags
  },
  Effect.fnUntraced(function* (flags) {
    const { publishPost } = yield* postCalls
    yield* publishPost(askerOf(flags), flags)
  })
).pipe(
  Command.withAlias("create"),
  Command.withDescription("Publish a post on accounts, and wait for its end; exit 1 unless it is on all of them"),
  Command.withExamples([
    { command: "loopbox post publish 'Our new cat' --accounts acc_…,acc_… --media med_…", description: "Now" },
    { command: "loopbox post publish pst_…", description: "A draft" }
  ])
)

const list = Command.make(
  "list",
  {
    status: Flag.Literals("status", [
      "draft",
      "scheduled",
      "publishing",
      "published",
      "partial",
      "failed",
      "canceled"
    ]).pipe(Flag.optional, Flag.withDescription("Only with this status")),
    account: textFlag("account", "Only those on this account: acc_…"),
    ...commonFlags
  },
  Effect.fnUntraced(function* (flags) {
    const { listPosts } = yield* postCalls
    yield* listPosts(askerOf(flags), flags)
  })
).pipe(Command.withDescription("List the posts, newest first"))

const get = Command.make(
  "get",
  { post: postArgument, ...commonFlags },
  Effect.fnUntraced(function* ({ post, ...flags }) {
    const { askPost } = yield* postCalls
    yield* askPost(askerOf(flags), post, "get")
  })
).pipe(Command.withDescription("Show a post with its targets"))

const cancel = Command.make(
  "cancel",
  { post: postArgument, ...commonFlags },
  Effect.fnUntraced(function* ({ post, ...flags }) {
    const { askPost } = yield* postCalls
    yield* askPost(askerOf(flags), post, "cancel")
  })
).pipe(Command.withDescription("Take back a draft, a scheduled post, or the targets that have not begun"))

const retry = Command.make(
  "retry",
  { post: postArgument, target: targetArgument, ...commonFlags },
  Effect.fnUntraced(function* ({ post, target, ...flags }) {
    const { askTarget } = yield* postCalls
    yield* askTarget(askerOf(flags), { post, target, act: "retry" })
  })
).pipe(Command.withDescription("Try a failed target again"))

const remove = Command.make(
  "delete",
  {
    post: postArgument,
    target: textFlag("target", "Delete this target on its network: ptg_…; without it the post is deleted here only"),
    ...commonFlags
  },
  Effect.fnUntraced(function* ({ post, target, ...flags }) {
    const { askTarget, deletePost } = yield* postCalls
    const asker = askerOf(flags)
    yield* Option.isSome(target)
      ? askTarget(asker, { post, target: target.value, act: "delete" })
      : deletePost(asker, post)
  })
).pipe(Command.withDescription("Delete a draft or an ended post here, or one target of it on its network"))

export const postCommand = Command.make("post").pipe(
  Command.withAlias("posts"),
  Command.withDescription("Publish posts on accounts, look at them, take them back"),
  Command.withSubcommands([publish, list, get, cancel, retry, remove])
)
