import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { CommandFailed } from "../CommandFailed.ts"
import { connectionFlags } from "./connection.ts"
import { jsonFlag } from "./output.ts"
import { textFlag } from "./sandboxInputs.ts"

const scopeFlags = {
  externalUserId: textFlag(
    "external-user-id",
    "See what this managed user sees; without it the whole workspace, for which the key's creator is admin or owner"
  )
}

/** What a key may see. */
export interface Scope {
  readonly externalUserId: Option.Option<string>
}

const booleanFlag = (name: string, description: string) =>
  Flag.Literals(name, ["true", "false"]).pipe(Flag.optional, Flag.withDescription(description))

/** The filters of `GET /v1/inbox` under their own names. */
const filterFlags = {
  q: textFlag("q", "Items with these words, the last one as a beginning; 2 to 200 characters"),
  source: textFlag("source", "ig_comment, ig_dm, threads_reply, fb_comment, fb_dm or x_reply"),
  isRead: booleanFlag("is-read", "Only read items, or only unread ones"),
  isOwn: booleanFlag("is-own", "Only what the account wrote itself, or only what others wrote"),
  threadStatus: Flag.Literals("thread-status", ["open", "assigned", "resolved"]).pipe(
    Flag.optional,
    Flag.withDescription("State of the thread")
  ),
  threadId: textFlag("thread-id", "Items of one thread: thr_…"),
  threadKey: textFlag("thread-key", "Items of threads that their networks call so"),
  postId: textFlag("post-id", "Items that hang on a post that was published here"),
  socialAccountId: textFlag("social-account-id", "Items of one account: acc_…"),
  assignedTo: textFlag("assigned-to", "Threads of somebody; `none` for nobody's"),
  receivedAfter: textFlag("received-after", "From this time on, as 2027-01-31T12:00:00Z"),
  receivedBefore: textFlag("received-before", "Before this time"),
  limit: Flag.Int("limit").pipe(
    Flag.filter(
      (limit) => limit >= 1 && limit <= 500,
      () => "an integer from 1 to 500"
    ),
    Flag.optional,
    Flag.withDescription("How many, 1 to 500 (50)")
  ),
  cursor: textFlag("cursor", "Go on from a page's `next_cursor`; with the same filters")
}

const list = Command.make(
  "list",
  { ...scopeFlags, ...filterFlags, ...connectionFlags, json: jsonFlag },
  Effect.fnUntraced(function* ({ apiKeyFile, externalUserId, json, url, ...filters }) {
    const { listItems } = yield* Effect.promise(() => import("./inboxCalls.ts"))
    yield* listItems({ url, apiKeyFile }, { externalUserId }, filters, json)
  })
).pipe(Command.withDescription("List items, newest first"))

const reply = Command.make(
  "reply",
  {
    item: Argument.String("item").pipe(Argument.withDescription("The item's id: itm_…")),
    text: Argument.String("text").pipe(
      Argument.optional,
      Argument.withDescription("The answer; a direct message takes a text or a file")
    ),
    media: textFlag("media", "Files: their ids, separated by commas"),
    tag: Flag.Literals("tag", ["human_agent"]).pipe(
      Flag.optional,
      Flag.withDescription("A person answers, after the 24 hours of a direct message")
    ),
    key: textFlag(
      "key",
      "Idempotency key: the same key and text are sent once, however often you ask. One is made if left out"
    ),
    ...scopeFlags,
    ...connectionFlags,
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ apiKeyFile, externalUserId, item, json, key, media, tag, text, url }) {
    if (Option.isNone(text) && Option.isNone(media)) {
      return yield* new CommandFailed({ message: "Give the answer's text, or --media.", isMisuse: true })
    }
    const { replyTo } = yield* Effect.promise(() => import("./inboxCalls.ts"))
    yield* replyTo({ url, apiKeyFile }, { externalUserId }, { item, text, media, tag, key }, json)
  })
).pipe(Command.withDescription("Answer an item on its network"))

const resolve = Command.make(
  "resolve",
  {
    item: Argument.String("item").pipe(Argument.withDescription("An item of the thread: itm_…")),
    ...scopeFlags,
    ...connectionFlags,
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ apiKeyFile, externalUserId, item, json, url }) {
    const { resolveThread } = yield* Effect.promise(() => import("./inboxCalls.ts"))
    yield* resolveThread({ url, apiKeyFile }, { externalUserId }, item, json)
  })
).pipe(Command.withDescription("Call an item's thread done; whoever writes in it opens it again"))

const watch = Command.make(
  "watch",
  {
    after: Flag.Int("after").pipe(
      Flag.filter(
        (seq) => seq >= 0,
        () => "the number of an event, or 0"
      ),
      Flag.optional,
      Flag.withDescription("First what came after the event of this number (`seq`), as far as it is kept")
    ),
    ...scopeFlags,
    ...connectionFlags,
    json: jsonFlag.pipe(Flag.withDescription("A line of JSON for each event, as it came"))
  },
  Effect.fnUntraced(function* ({ after, apiKeyFile, externalUserId, json, url }) {
    const { watchInbox } = yield* Effect.promise(() => import("./inboxWatch.ts"))
    yield* watchInbox({ url, apiKeyFile }, { externalUserId }, { after, json })
  })
).pipe(
  Command.withDescription(
    "Show every change as it happens, until Ctrl-C; what a broken connection missed comes after it"
  )
)

export const inboxCommand = Command.make("inbox").pipe(
  Command.withDescription("List what people wrote, answer it, call it done, watch it come in"),
  Command.withSubcommands([list, reply, resolve, watch])
)
