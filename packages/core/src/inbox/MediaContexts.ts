import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { EntitledCaller } from "../access/EntitledCaller.ts"
import type { ReadFailed } from "../networks/ConnectorErrors.ts"
import { connectorOf, Connectors } from "../networks/Connectors.ts"
import { Networks } from "../networks/Networks.ts"
import type { MediaContext } from "../networks/MediaContext.ts"
import { InboxItemId } from "../kernel/Ids.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import { AccountTokens } from "../accounts/AccountTokens.ts"
import type { AccountUnusable } from "../accounts/AccountErrors.ts"
import { ItemNotFound, MediaContextUnavailable, NoParent } from "./InboxErrors.ts"
import type { InboxItem } from "../items/InboxItem.ts"
import { InboxStore } from "./InboxStore.ts"
import { type KeptContext, MediaContextStore, type PostName } from "./MediaContextStore.ts"

/** How long an answer of the network is cached (api.md §3). */
const freshFor = Duration.hours(1)

/** How long a deleted post is cached. */
const goneFor = Duration.minutes(5)

/** Time limit of the network's answer, including a token renewal; the connector's own limit is shorter. */
const patience = Duration.seconds(20)

/** The media context of an item. */
export interface FoundContext {
  readonly context: MediaContext
  /** `stale`: older than an hour, because the network can't be called now. */
  readonly cache: "hit" | "miss" | "stale"
  /** Time since the network's answer. */
  readonly age: Duration.Duration
}

/** Driving service: the posts that items belong to. */
export class MediaContexts extends Context.Service<
  MediaContexts,
  {
    /** The root post of an item's thread: cached for an hour, and longer while the network is unavailable. */
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

/** The network's answer. `Away`: it can't be called now, or the answer is not usable. */
type Answer =
  | { readonly _tag: "Said"; readonly context: MediaContext }
  | { readonly _tag: "Gone" }
  | { readonly _tag: "Away" }

const toAnswer = (error: ReadFailed | AccountUnusable): Effect.Effect<Answer> =>
  error._tag === "Rejected" && error.reason === "gone"
    ? Effect.succeed({ _tag: "Gone" })
    : Effect.as(Effect.logDebug("a post could not be read", error), { _tag: "Away" })

const contextOf = (answer: Answer): Option.Option<MediaContext> =>
  answer._tag === "Said" ? Option.some(answer.context) : Option.none()

const isItemId = Schema.is(InboxItemId)

const isYounger = ({ fetchedAt }: KeptContext, than: Duration.Duration, now: DateTime.Utc): boolean =>
  DateTime.isGreaterThan(DateTime.addDuration(fetchedAt, than), now)

const make = Effect.gen(function* () {
  const inbox = yield* InboxStore
  const store = yield* MediaContextStore
  const tokens = yield* AccountTokens
  const connectors = yield* Connectors
  const networks = yield* Networks
  const scope = yield* Effect.scope
  const reads = new Map<string, Deferred.Deferred<Answer, StoreUnavailable>>()

  const ask = ({ accountId, source, workspaceId }: InboxItem, postId: string) =>
    tokens
      .withAccess(workspaceId, accountId, (access) =>
        connectorOf(networks, connectors, source).findMediaContext(access, source, postId)
      )
      .pipe(
        Effect.map((context): Answer => ({ _tag: "Said", context })),
        Effect.catchIf((error) => error._tag !== "StoreUnavailable", toAnswer),
        Effect.timeoutOrElse({
          duration: patience,
          orElse: () => Effect.succeed<Answer>({ _tag: "Away" })
        })
      )

  /**
   * Calls the network and caches the answer. Concurrent requests for the same post share one call, because X bills each
   * call. Interrupting one of them does not stop the call.
   */
  const read = (item: InboxItem, post: PostName) =>
    Effect.uninterruptibleMask((restore) => {
      const key = `${post.workspaceId} ${post.accountId} ${post.postId}`
      const running = reads.get(key)
      if (running !== undefined) return restore(Deferred.await(running))
      const answer = Deferred.makeUnsafe<Answer, StoreUnavailable>()
      reads.set(key, answer)
      const asked = Effect.gen(function* () {
        const fetchedAt = yield* DateTime.now
        const said = yield* ask(item, post.postId)
        if (said._tag !== "Away") yield* store.put(post, { context: contextOf(said), fetchedAt })
        return said
      })
      return Effect.interruptible(asked).pipe(
        Effect.onExit((exit) =>
          Effect.andThen(
            Effect.sync(() => reads.delete(key)),
            Deferred.done(answer, exit)
          )
        ),
        Effect.forkIn(scope),
        Effect.andThen(restore(Deferred.await(answer)))
      )
    })

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

    const answer = yield* read(item.value, post)
    if (answer._tag === "Away") {
      const stale = known("stale")
      return Option.isSome(stale) ? stale.value : yield* new MediaContextUnavailable({ postId: post.postId })
    }
    const context = contextOf(answer)
    if (Option.isNone(context)) return yield* new NoParent({ reason: "gone" })
    const miss: FoundContext = { context: context.value, cache: "miss", age: Duration.zero }
    return miss
  })

  return MediaContexts.of({ find })
})
