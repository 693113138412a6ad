import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as References from "effect/References"
import * as Scope from "effect/Scope"
import { Access } from "@loopbox/core/access/Access"
import { AccountAdministration } from "@loopbox/core/access/AccountAdministration"
import { Administration } from "@loopbox/core/access/Administration"
import { Connectors } from "@loopbox/core/networks/Connectors"
import { ConnectSessions } from "@loopbox/core/connecting/ConnectSessions"
import { MetaCallbacks } from "@loopbox/core/connecting/MetaCallbacks"
import { Conversions } from "@loopbox/core/conversions/Conversions"
import * as ConversionWorker from "@loopbox/core/conversions/ConversionWorker"
import { GifEncoder } from "@loopbox/core/conversions/GifEncoder"
import { InboxAccess } from "@loopbox/core/access/InboxAccess"
import { AccountTokens } from "@loopbox/core/accounts/AccountTokens"
import { EventFeed } from "@loopbox/core/feed/EventFeed"
import { Inbox } from "@loopbox/core/inbox/Inbox"
import * as InboxSweeper from "@loopbox/core/sweeping/InboxSweeper"
import * as AccountChecks from "@loopbox/core/health/AccountChecks"
import { ConnectedAccounts } from "@loopbox/core/health/ConnectedAccounts"
import { Ingest } from "@loopbox/core/inbox/Ingest"
import * as ProfileWorker from "@loopbox/core/inbox/ProfileWorker"
import { SavedReplies } from "@loopbox/core/savedReplies/SavedReplies"
import * as ThreadKeeper from "@loopbox/core/threads/ThreadKeeper"
import { Threads } from "@loopbox/core/threads/Threads"
import { Sync } from "@loopbox/core/sync/Sync"
import * as SyncWorker from "@loopbox/core/polling/SyncWorker"
import { MediaContexts } from "@loopbox/core/inbox/MediaContexts"
import { Webhooks } from "@loopbox/core/webhooks/Webhooks"
import * as WebhookWorker from "@loopbox/core/webhooks/WebhookWorker"
import { MediaLibrary } from "@loopbox/core/media/MediaLibrary"
import { MediaLinks, noMediaLinks } from "@loopbox/core/media/MediaLinks"
import { Moderations } from "@loopbox/core/moderation/Moderations"
import { OverlayEncoder } from "@loopbox/core/overlays/OverlayEncoder"
import { Overlays } from "@loopbox/core/overlays/Overlays"
import * as OverlayWorker from "@loopbox/core/overlays/OverlayWorker"
import { Posts } from "@loopbox/core/posts/Posts"
import * as PublishWorker from "@loopbox/core/publishing/PublishWorker"
import { Replies } from "@loopbox/core/replies/Replies"
import * as ReplyWorker from "@loopbox/core/replies/ReplyWorker"
import * as RetentionSweeper from "@loopbox/core/retention/RetentionSweeper"
import { CurrentActor, operator } from "@loopbox/core/audit/Actor"
import { Audit } from "@loopbox/core/audit/Audit"
import { ManagedUserExport } from "@loopbox/core/exporting/ManagedUserExport"
import { Usage } from "@loopbox/core/usage/Usage"
import { makeAccountsFacade } from "./facade/accountsFacade.ts"
import { makeAudioFacade } from "./facade/audioFacade.ts"
import { makeConnectingFacade } from "./facade/connectingFacade.ts"
import { makeConnectedFacade } from "./facade/connectedFacade.ts"
import { makeConversionsFacade } from "./facade/conversionsFacade.ts"
import { makeInboxFacade } from "./facade/inboxFacade.ts"
import { makeKeysFacade } from "./facade/keysFacade.ts"
import { makeMediaFacade } from "./facade/mediaFacade.ts"
import { makeMembersFacade } from "./facade/membersFacade.ts"
import { makeModerationFacade } from "./facade/moderationFacade.ts"
import { makePostsFacade } from "./facade/postsFacade.ts"
import { makeNotesFacade } from "./facade/notesFacade.ts"
import { makeLabelsFacade, makeThreadsFacade } from "./facade/threadsFacade.ts"
import * as NodeWebhookSender from "@loopbox/adapters-http/node/sending/NodeWebhookSender"
import * as DeliveryWorker from "@loopbox/core/outgoing/DeliveryWorker"
import { EndpointDeliveries } from "@loopbox/core/outgoing/EndpointDeliveries"
import { WebhookEndpoints } from "@loopbox/core/outgoing/WebhookEndpoints"
import { WebhookSender } from "@loopbox/core/outgoing/WebhookSender"
import { makeWebhookEndpointsFacade } from "./facade/webhookEndpointsFacade.ts"
import { makeSavedRepliesFacade } from "./facade/savedRepliesFacade.ts"
import { Networks, networkTable } from "@loopbox/core/networks/Networks"
import { noNetworks } from "@loopbox/core/networks/noNetworks"
import { socialNetworks } from "@loopbox/adapters-social/socialNetworks"
import { LoopboxClosed } from "./LoopboxClosed.ts"
import { makeMountedApi } from "./mounts/makeMountedApi.ts"
import { makeMounts, type Mounts } from "./mounts/makeMounts.ts"
import type { LoopboxOptions } from "./presets/LoopboxOptions.ts"
import { SimulatorUrl } from "./presets/SimulatorUrl.ts"
import { WorkerPlace } from "./presets/WorkerPlace.ts"
import { requirePorts } from "./requirePorts.ts"
import type { Facades } from "./facade/Facades.ts"
import { facadeArguments } from "./judging/facadeArguments.ts"
import { judged } from "./judging/judged.ts"
import type { CallOptions, Run } from "./facade/run.ts"
import { told } from "./facade/told.ts"
import { makeWorkspacesFacade } from "./facade/workspacesFacade.ts"

/** Loopbox as plain async functions. Times are `Date`, absent values `null`. */
export interface Loopbox extends Mounts, Facades {
  /** Where the simulated networks of `networks: "sandbox"` are, on the loopback; else null. */
  readonly simulatorUrl: string | null
  /**
   * Answers the requests that the mounts have in hand, for 30 seconds at most, and others with 503; stops the workers, waits
   * for running jobs up to their drain, and closes the layers.
   */
  readonly close: () => Promise<void>
  readonly [Symbol.asyncDispose]: () => Promise<void>
}

const services = Layer.mergeAll(
  InboxAccess.layer,
  Administration.layer({ keyMode: "live" }),
  AccountAdministration.layer,
  MediaLibrary.layer,
  Conversions.layer,
  Overlays.layer,
  Usage.layer,
  Audit.layer,
  ManagedUserExport.layer,
  Inbox.layer,
  EventFeed.layer,
  MediaContexts.layer,
  Replies.layer,
  Moderations.layer.pipe(Layer.provide(Inbox.layer)),
  SavedReplies.layer,
  Threads.layer,
  WebhookEndpoints.layer,
  EndpointDeliveries.layer,
  Posts.layer.pipe(Layer.provide(MediaLibrary.layer)),
  Ingest.layer,
  Sync.layer(),
  Webhooks.layer,
  ConnectSessions.layer,
  ConnectedAccounts.layer,
  MetaCallbacks.layer
).pipe(Layer.provideMerge(AccountTokens.layer), Layer.provideMerge(Access.layer))

const inboxWorkers = Layer.mergeAll(
  WebhookWorker.layer(),
  SyncWorker.layer(),
  AccountChecks.layer(),
  ReplyWorker.layer(),
  PublishWorker.layer(),
  ProfileWorker.layer(),
  ThreadKeeper.layer(),
  DeliveryWorker.layer(),
  InboxSweeper.layer({ every: "10 minutes" })
)

/** A library logs only warnings and errors by default; a layer may set another level. */
const quiet = Layer.succeed(References.MinimumLogLevel, "Warn")

/** Posts to public addresses only, unless the networks are simulated or a layer gives a `WebhookSender`. */
const ownSender = Effect.gen(function* () {
  const allowsPrivate = (yield* SimulatorUrl) !== null
  return Context.get(yield* Layer.build(NodeWebhookSender.layer({ allowsPrivate })), WebhookSender)
})

const buildServices = Effect.fnUntraced(function* (given: Context.Context<never>) {
  const ports = yield* requirePorts(given)
  const connectors = Option.getOrElse(Context.getOption(given, Connectors), () => noNetworks)
  const links = Option.getOrElse(Context.getOption(given, MediaLinks), () => noMediaLinks)
  const own = yield* ownSender
  const sender = Option.getOrElse(Context.getOption(given, WebhookSender), () => own)
  const provided = Layer.succeedContext(
    ports.pipe(Context.add(Connectors, connectors), Context.add(MediaLinks, links), Context.add(WebhookSender, sender))
  )
  const driving = yield* Layer.build(Layer.provide(services, provided))
  const { around, isHere } = yield* WorkerPlace
  const place = Layer.merge(provided, around)
  if (isHere) {
    yield* Layer.build(Layer.provide(inboxWorkers, [place, Layer.succeedContext(driving)]))
    yield* Layer.build(Layer.provide(RetentionSweeper.layer({ every: "10 minutes" }), place))
  }
  const encoder = Context.getOption(given, GifEncoder)
  if (isHere && encoder._tag === "Some") {
    const engine = Layer.succeed(GifEncoder, encoder.value)
    yield* Layer.build(Layer.provide(ConversionWorker.layer(), [place, engine]))
  }
  const overlayEncoder = Context.getOption(given, OverlayEncoder)
  if (isHere && overlayEncoder._tag === "Some") {
    const engine = Layer.succeed(OverlayEncoder, overlayEncoder.value)
    yield* Layer.build(Layer.provide(OverlayWorker.layer(), [place, engine]))
  }
  const known = Context.make(Networks, yield* Networks)
  return Context.merge(known, Context.merge(given, Context.merge(ports, driving)))
})

const build = Effect.fnUntraced(function* (layers: ReadonlyArray<AnyLayer>) {
  // A later layer replaces what an earlier one gives.
  const given = yield* Layer.build(Layer.mergeAll(quiet, ...layers))
  // Clocks, loggers and log levels of the layers also apply to the workers.
  return yield* Effect.provideContext(buildServices(given), given)
})

type Driving = Layer.Success<typeof services>

type AnyLayer = Layer.Layer<never, unknown>

const isLayer = (given: LoopboxOptions | AnyLayer): given is AnyLayer => Layer.isLayer(given)

/** Plain options come to layers, too; those of their adapters are loaded only where they are given. */
const toLayers = async (given: ReadonlyArray<LoopboxOptions | AnyLayer>): Promise<ReadonlyArray<AnyLayer>> =>
  Promise.all(
    given.map(async (one) => (isLayer(one) ? one : (await import("./presets/presetLayers.ts")).presetLayers(one)))
  )

const makeFacades = (context: Context.Context<Driving>, run: Run): Facades => {
  const access = Context.get(context, InboxAccess)
  const administration = Context.get(context, Administration)
  const accounts = Context.get(context, AccountAdministration)
  const connected = Context.get(context, ConnectedAccounts)
  const threads = Context.get(context, Threads)
  return {
    workspaces: makeWorkspacesFacade(
      administration,
      { usage: Context.get(context, Usage), audit: Context.get(context, Audit) },
      run
    ),
    members: makeMembersFacade(administration, accounts, run),
    keys: makeKeysFacade(administration, run),
    media: makeMediaFacade(Context.get(context, MediaLibrary), administration, run),
    conversions: makeConversionsFacade(Context.get(context, Conversions), run),
    audio: makeAudioFacade(Context.get(context, Overlays), run),
    accounts: makeAccountsFacade(accounts, connected, Context.get(context, ManagedUserExport), run),
    connected: makeConnectedFacade(access, connected, run),
    connecting: makeConnectingFacade(Context.get(context, ConnectSessions), connected, run),
    inbox: makeInboxFacade(
      {
        access,
        inbox: Context.get(context, Inbox),
        feed: Context.get(context, EventFeed),
        ingest: Context.get(context, Ingest),
        sync: Context.get(context, Sync),
        replies: Context.get(context, Replies),
        contexts: Context.get(context, MediaContexts)
      },
      run
    ),
    moderation: makeModerationFacade(access, Context.get(context, Moderations), run),
    threads: makeThreadsFacade(access, threads, run),
    labels: makeLabelsFacade(access, threads, run),
    notes: makeNotesFacade(access, threads, run),
    savedReplies: makeSavedRepliesFacade(access, Context.get(context, SavedReplies), run),
    webhookEndpoints: makeWebhookEndpointsFacade(
      access,
      { endpoints: Context.get(context, WebhookEndpoints), deliveries: Context.get(context, EndpointDeliveries) },
      run
    ),
    posts: makePostsFacade(access, Context.get(context, Posts), run)
  }
}

/**
 * Builds Loopbox from plain options: `await createLoopbox({ databaseUrl, secretKeys })`, or from adapters:
 * `await createLoopbox(MemoryAdapters.layer, FfmpegEncoder.layer({ … }))`. Layers after options replace ports of theirs.
 *
 * The layers are merged and built once. Unless `workers: false` says otherwise, this process runs conversions if a layer
 * provides a `GifEncoder`, overlays if one provides an `OverlayEncoder`, and retention. Refusals reject with an `Error`
 * that has the refusal's `_tag` and data. Every method accepts `{ signal }`, which ends the waiting, but not the accepted
 * work.
 */
export const createLoopbox = async (
  ...given: readonly [LoopboxOptions | AnyLayer, ...ReadonlyArray<AnyLayer>]
): Promise<Loopbox> => {
  const layers = await toLayers(given)
  const scope = Scope.makeUnsafe()
  const close = () => Effect.runPromise(Scope.close(scope, Exit.void))
  const context = await Effect.runPromise(
    build(layers).pipe(
      Effect.provideService(Scope.Scope, scope),
      // Defaults, unless a layer provides others.
      Effect.provideService(Networks, networkTable(socialNetworks)),
      Effect.provideService(References.MinimumLogLevel, "Warn")
    )
  ).catch(async (error: unknown) => {
    await close()
    throw error
  })
  let isClosing = false
  const run: Run = async (effect, options?: CallOptions) => {
    const signal = options?.signal
    signal?.throwIfAborted()
    const exit = await Effect.runPromiseExit(
      // Whoever calls the library is who runs it.
      effect.pipe(Effect.provideService(CurrentActor, operator), Effect.provideContext(context)),
      signal === undefined ? undefined : { signal }
    )
    if (Exit.isFailure(exit)) {
      signal?.throwIfAborted()
      // As a database's client does that has ended.
      if (isClosing && Cause.hasInterruptsOnly(exit.cause)) return Promise.reject(new LoopboxClosed())
    }
    return Effect.runPromise(exit).catch(async (error: unknown) => Promise.reject(told(error)))
  }
  const { leave, mounts } = makeMounts(makeMountedApi(context, scope))
  const closeAll = async () => {
    leave()
    isClosing = true
    await close()
  }
  return {
    ...mounts,
    ...judged(makeFacades(context, run), facadeArguments(Context.get(context, Networks))),
    simulatorUrl: Context.get(context, SimulatorUrl),
    close: closeAll,
    [Symbol.asyncDispose]: closeAll
  }
}
