import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { EntitledCaller } from "../access/EntitledCaller.ts"
import type { ReadFailed } from "../connectors/ConnectorErrors.ts"
import { connectorOf, Connectors } from "../connectors/Connectors.ts"
import type { MediaContext } from "../connectors/MediaContext.ts"
import { InboxItemId } from "../kernel/Ids.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import { AccountTokens } from "./AccountTokens.ts"
import { type AccountUnusable, ItemNotFound, MediaContextUnavailable, NoParent } from "./InboxErrors.ts"
import type { InboxItem } from "./InboxItem.ts"
import { InboxStore } from "./InboxStore.ts"
import { type KeptContext, MediaContextStore } from "./MediaContextStore.ts"

/** How long an answer of the network serves for all who ask (api.md §3). */
const freshFor = Duration.hours(1)

/** How long a post that is gone is not asked for again. */
const goneFor = Duration.minutes(5)

/** For the network's answer, the renewal of a token included; the connector's own limit is shorter. */
const patience = Duration.seconds(20)

/** What is known of an item's post. */
export interface FoundContext {
  readonly context: MediaContext
  /** `stale`: older than an hour, for the network can't be asked now. */
  readonly cache: "hit" | "miss" | "stale"
  /** Since the network said it. */
  readonly age: Duration.Duration
}

/** Driving service: the posts that items hang on. */
export class MediaContexts extends Context.Service<
  MediaContexts,
  {
    /** Of the post at the root of an item's thread: kept for an hour, and older ones where the network is down. */
    readonly find: (
      caller: EntitledCaller,
      itemId: string
    ) => Effect.Effect<FoundContext, ItemNotFound | NoParent | MediaContextUnavailable | StoreUnavailable>
  }
>()("@loopbox/core/inbox/MediaContexts") {
  static readonly layer: Layer.Layer<
    MediaContexts,
    never,
    InboxStore | MediaContextStore | AccountTokens | Connectors
  > = Layer.effect(
    MediaContexts,
    Effect.suspend(() => make)
  )
}

/** What a network answers. `Away`: it can't be asked now, or says nothing that helps. */
type Answer =
  | { readonly _tag: "Said"; readonly context: MediaContext }
  | { readonly _tag: "Gone" }
  | { readonly _tag: "Away" }

const toAnswer = (error: ReadFailed | AccountUnusable): Effect.Effect<Answer> =>
  error._tag === "Rejected" && error.reason === "gone"
    ? Effect.succeed({ _tag: "Gone" })
    : Effect.as(Effect.logDebug("a post could not be read", error), { _tag: "Away" })

const isItemId = Schema.is(InboxItemId)

const isYounger = ({ fetchedAt }: KeptContext, than: Duration.Duration, now: DateTime.Utc): boolean =>
  DateTime.isGreaterThan(DateTime.addDuration(fetchedAt, than), now)

const make = Effect.gen(function* () {
  const inbox = yield* InboxStore
  const store = yield* MediaContextStore
  const tokens = yield* AccountTokens
  const connectors = yield* Connectors

  const ask = ({ accountId, source, workspaceId }: InboxItem, postId: string) =>
    tokens
      .withAccess(workspaceId, accountId, (access) =>
        connectorOf(connectors, source).findMediaContext(access, source, postId)
      )
      .pipe(
        Effect.map((context): Answer => ({ _tag: "Said", context })),
        Effect.catchIf((error) => error._tag !== "StoreUnavailable", toAnswer),
        Effect.timeoutOrElse({
          duration: patience,
          orElse: () => Effect.succeed<Answer>({ _tag: "Away" })
        })
      )

  const find = Effect.fn("MediaContexts.find")(function* (caller: EntitledCaller, itemId: string) {
    const item = isItemId(itemId) ? yield* inbox.find(caller, itemId) : Option.none()
    if (Option.isNone(item)) return yield* new ItemNotFound({ itemId })
    const { accountId, linkedPostId, workspaceId } = item.value
    if (Option.isNone(linkedPostId)) return yield* new NoParent({ reason: "none" })
    const post = { workspaceId, accountId, postId: linkedPostId.value }
    const now = yield* DateTime.now
    const kept = Option.getOrUndefined(yield* store.find(post))
    const known = (cache: FoundContext["cache"]) =>
      Option.map(
        Option.flatMap(Option.fromUndefinedOr(kept), ({ context, fetchedAt }) =>
          Option.map(context, (found) => ({ context: found, age: DateTime.distance(fetchedAt, now) }))
        ),
        (found): FoundContext => ({ ...found, cache })
      )
    if (kept !== undefined && Option.isNone(kept.context) && isYounger(kept, goneFor, now)) {
      return yield* new NoParent({ reason: "gone" })
    }
    const hit = kept !== undefined && isYounger(kept, freshFor, now) ? known("hit") : Option.none()
    if (Option.isSome(hit)) return hit.value

    const answer = yield* ask(item.value, post.postId)
    if (answer._tag === "Away") {
      const stale = known("stale")
      return Option.isSome(stale) ? stale.value : yield* new MediaContextUnavailable({ postId: post.postId })
    }
    const context = answer._tag === "Said" ? Option.some(answer.context) : Option.none()
    yield* store.put(post, { context, fetchedAt: now })
    if (Option.isNone(context)) return yield* new NoParent({ reason: "gone" })
    const miss: FoundContext = { context: context.value, cache: "miss", age: Duration.zero }
    return miss
  })

  return MediaContexts.of({ find })
})
