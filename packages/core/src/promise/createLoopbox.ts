import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as References from "effect/References"
import * as Scope from "effect/Scope"
import { Access } from "../access/Access.ts"
import { AccountAdministration } from "../access/AccountAdministration.ts"
import { Administration } from "../access/Administration.ts"
import { Connectors } from "../connectors/Connectors.ts"
import { Conversions } from "../conversions/Conversions.ts"
import * as ConversionWorker from "../conversions/ConversionWorker.ts"
import { GifEncoder } from "../conversions/GifEncoder.ts"
import { InboxAccess } from "../access/InboxAccess.ts"
import { AccountTokens } from "../inbox/AccountTokens.ts"
import { EventFeed } from "../inbox/EventFeed.ts"
import { Inbox } from "../inbox/Inbox.ts"
import * as InboxSweeper from "../inbox/InboxSweeper.ts"
import { Ingest } from "../inbox/Ingest.ts"
import * as ProfileWorker from "../inbox/ProfileWorker.ts"
import { Sync } from "../inbox/Sync.ts"
import * as SyncWorker from "../inbox/SyncWorker.ts"
import { MediaContexts } from "../inbox/MediaContexts.ts"
import { Webhooks } from "../inbox/Webhooks.ts"
import * as WebhookWorker from "../inbox/WebhookWorker.ts"
import { MediaLibrary } from "../media/MediaLibrary.ts"
import { Replies } from "../outbound/Replies.ts"
import * as ReplyWorker from "../outbound/ReplyWorker.ts"
import * as RetentionSweeper from "../retention/RetentionSweeper.ts"
import { type AccountsFacade, makeAccountsFacade } from "./accountsFacade.ts"
import { type ConversionsFacade, makeConversionsFacade } from "./conversionsFacade.ts"
import { type InboxFacade, makeInboxFacade } from "./inboxFacade.ts"
import { makeMediaFacade, type MediaFacade } from "./mediaFacade.ts"
import { noNetworks } from "./noNetworks.ts"
import { requirePorts } from "./requirePorts.ts"
import type { CallOptions, Run } from "./run.ts"
import { makeWorkspacesFacade, type WorkspacesFacade } from "./workspacesFacade.ts"

/** Loopbox as plain async functions. Times are `Date`, absent values `null`. */
export interface Loopbox {
  readonly workspaces: WorkspacesFacade
  readonly media: MediaFacade
  readonly conversions: ConversionsFacade
  readonly accounts: AccountsFacade
  readonly inbox: InboxFacade
  /** Stops the workers, lets running jobs finish for their drain, and closes what the layers opened. */
  readonly close: () => Promise<void>
  readonly [Symbol.asyncDispose]: () => Promise<void>
}

const services = Layer.mergeAll(
  InboxAccess.layer,
  Administration.layer({ keyMode: "live" }),
  AccountAdministration.layer,
  MediaLibrary.layer,
  Conversions.layer,
  Inbox.layer,
  EventFeed.layer,
  MediaContexts.layer,
  Replies.layer,
  Ingest.layer,
  Sync.layer(),
  Webhooks.layer
).pipe(Layer.provideMerge(AccountTokens.layer), Layer.provideMerge(Access.layer))

const inboxWorkers = Layer.mergeAll(
  WebhookWorker.layer(),
  SyncWorker.layer(),
  ReplyWorker.layer(),
  ProfileWorker.layer(),
  InboxSweeper.layer({ every: "10 minutes" })
)

/** A library is quiet: what it logs below a warning is for a host, whose layers may give another level. */
const quiet = Layer.succeed(References.MinimumLogLevel, "Warn")

const buildServices = Effect.fnUntraced(function* (given: Context.Context<never>) {
  const ports = yield* requirePorts(given)
  const networks = Option.getOrElse(Context.getOption(given, Connectors), () => noNetworks)
  const provided = Layer.succeedContext(Context.add(ports, Connectors, networks))
  const driving = yield* Layer.build(Layer.provide(services, provided))
  yield* Layer.build(Layer.provide(inboxWorkers, [provided, Layer.succeedContext(driving)]))
  yield* Layer.build(Layer.provide(RetentionSweeper.layer({ every: "10 minutes" }), provided))
  const encoder = Context.getOption(given, GifEncoder)
  if (encoder._tag === "Some") {
    const engine = Layer.succeed(GifEncoder, encoder.value)
    yield* Layer.build(Layer.provide(ConversionWorker.layer(), [provided, engine]))
  }
  return Context.merge(given, Context.merge(ports, driving))
})

const build = Effect.fnUntraced(function* ([first, ...rest]: readonly [AnyLayer, ...ReadonlyArray<AnyLayer>]) {
  const given = yield* Layer.build(Layer.mergeAll(quiet, first, ...rest))
  // Clocks, loggers and levels that the layers give hold for the workers too.
  return yield* Effect.provideContext(buildServices(given), given)
})

type AnyLayer = Layer.Layer<never, unknown>

/**
 * Builds Loopbox from adapters: `await createLoopbox(MemoryAdapters.layer, FfmpegEncoder.layer({ … }))`.
 *
 * The layers are merged and built once. Conversions are worked on in this process when a layer gives a `GifEncoder`;
 * retention is always kept. Refusals reject with an `Error` that has the refusal's `_tag` and data; every method takes
 * `{ signal }`, which ends the waiting, never the work that was accepted.
 */
export const createLoopbox = async (...layers: readonly [AnyLayer, ...ReadonlyArray<AnyLayer>]): Promise<Loopbox> => {
  const scope = Scope.makeUnsafe()
  const close = () => Effect.runPromise(Scope.close(scope, Exit.void))
  const context = await Effect.runPromise(
    build(layers).pipe(
      Effect.provideService(Scope.Scope, scope),
      Effect.provideService(References.MinimumLogLevel, "Warn")
    )
  ).catch(async (error: unknown) => {
    await close()
    throw error
  })
  const run: Run = async (effect, options?: CallOptions) => {
    const signal = options?.signal
    signal?.throwIfAborted()
    const exit = await Effect.runPromiseExit(
      Effect.provideContext(effect, context),
      signal === undefined ? undefined : { signal }
    )
    if (Exit.isFailure(exit)) signal?.throwIfAborted()
    return Effect.runPromise(exit)
  }
  return {
    workspaces: makeWorkspacesFacade(Context.get(context, Administration), run),
    media: makeMediaFacade(Context.get(context, MediaLibrary), Context.get(context, Administration), run),
    conversions: makeConversionsFacade(Context.get(context, Conversions), run),
    accounts: makeAccountsFacade(Context.get(context, AccountAdministration), run),
    inbox: makeInboxFacade(
      {
        access: Context.get(context, InboxAccess),
        inbox: Context.get(context, Inbox),
        feed: Context.get(context, EventFeed),
        ingest: Context.get(context, Ingest),
        sync: Context.get(context, Sync),
        replies: Context.get(context, Replies),
        contexts: Context.get(context, MediaContexts)
      },
      run
    ),
    close,
    [Symbol.asyncDispose]: close
  }
}
