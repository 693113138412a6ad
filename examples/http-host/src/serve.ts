import type { ConsoleOptions } from "@loopbox/adapters-http/server/console/ConsoleOptions"
import { BlobStore } from "@loopbox/core/media/BlobStore"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { guessedLinks } from "./networkLinks.ts"
import { buildBrowserFiles } from "./console/buildBrowserFiles.ts"
import { layerConsoleCallers, makeConsoleLink, makeHostConsole } from "./console/hostConsole.ts"
import { Database } from "./database.ts"
import { makeDataFolder } from "./dataFolder.ts"
import { prepareDemo, printDemo } from "./demo.ts"
import { commonChecks, ffmpegCheck } from "./health.ts"
import type { GivenFlags } from "./environment.ts"
import { type HostConfig, loadHostConfig } from "./hostConfig.ts"
import { layerBlobLinks, layerBlobs, layerDatabase, layerEncoder, layerServices, layerWorkers } from "./hostLayers.ts"
import { type HostSecrets, hostSecrets } from "./hostSecrets.ts"
import { checkInstallation } from "./installation.ts"
import * as logging from "./logging.ts"
import { layerLife, startSandbox } from "./sandbox.ts"
import { layerProcessGauges } from "./processMetrics.ts"
import { layerNodeGauges } from "./nodeMetrics.ts"
import { layerQueueGauges } from "./queueMetrics.ts"
import { rememberAccounts, subscribeDemo } from "./sandboxAccounts.ts"
import { noteServing } from "./serving.ts"
import { explainFailure } from "./startFailure.ts"
import { stopSignal } from "./stopSignal.ts"
import * as telemetry from "./telemetry.ts"
import { version } from "./version.ts"
import { type Listening, serveApi, serveHealth } from "./wire.ts"

/** Starts to listen, as the role wants it; the address, if there is one. */
const listen = Effect.fnUntraced(function* (
  config: HostConfig,
  secrets: HostSecrets,
  console: Option.Option<ConsoleOptions>
) {
  const common = yield* commonChecks(config, (yield* BlobStore).probe)
  const checks = config.role === "api" ? common : [...common, yield* ffmpegCheck]
  if (config.role !== "worker") return Option.some(yield* serveApi(config, secrets, checks, console))
  return yield* serveHealth(config, checks)
})

/** Where networks and people reach the host. A worker that serves nobody speaks for the others, at the same port. */
const publicAddressOf = ({ host, port, publicUrl, role }: HostConfig, listening: Option.Option<Listening>): string =>
  Option.getOrElse(publicUrl, () =>
    role !== "worker" && Option.isSome(listening)
      ? listening.value.url
      : `http://${host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host}:${Option.getOrElse(port, () => 8080)}`
  )

const isLocal = (config: HostConfig): boolean => Option.isNone(config.databaseUrl) && config.role !== "worker"

/**
 * Everything that is opened here is closed in the opposite order: jobs are drained first, while requests are still
 * answered and `/readyz` says that the end is near; then requests in flight; the database last.
 */
const runOn = Effect.fnUntraced(function* (config: HostConfig, secrets: HostSecrets) {
  const { description, died } = yield* Database
  yield* checkInstallation(config, secrets)
  const sandbox = config.networks === "sandbox" ? Option.some(yield* startSandbox(config)) : Option.none()
  const console = yield* makeHostConsole(config, secrets, sandbox)
  // Built, read and compressed before anybody asks.
  const built = yield* Effect.forkChild(
    Option.match(console, {
      onNone: () => Effect.void,
      onSome: ({ files }) => Effect.andThen(buildBrowserFiles, files)
    })
  )
  const address = yield* Deferred.make<string>()
  const parts = yield* Layer.build(
    layerServices(config, secrets, sandbox, Deferred.await(address)).pipe(
      Layer.provideMerge(Layer.merge(layerBlobs(config), layerBlobLinks(config))),
      Layer.provideMerge(layerEncoder(config)),
      Layer.provide(layerConsoleCallers(console))
    )
  )
  yield* Effect.gen(function* () {
    if (isLocal(config)) yield* prepareDemo(config)
    if (Option.isSome(sandbox)) {
      yield* rememberAccounts(sandbox.value)
      if (isLocal(config)) yield* subscribeDemo(sandbox.value)
    }
    const listening = yield* listen(config, secrets, console)
    yield* Deferred.succeed(address, publicAddressOf(config, listening))
    if (config.role !== "api") yield* Layer.build(layerWorkers(config))
    yield* Layer.build(Layer.mergeAll(layerQueueGauges, layerProcessGauges, layerNodeGauges))
    const about = { role: config.role, version, pid: process.pid, database: description }
    if (Option.isNone(listening)) {
      yield* Effect.logInfo("working").pipe(Effect.annotateLogs(about))
    } else {
      const { drain, opsUrl, url } = listening.value
      // A worker has no admin API that commands could call.
      if (config.role !== "worker") {
        yield* noteServing(config, { url, opsUrl, sandboxUrl: Option.map(sandbox, (one) => one.url) })
        if (Option.isSome(sandbox)) yield* sandbox.value.deliverTo(url)
      }
      yield* Effect.addFinalizer(() => drain)
      yield* Effect.logInfo("listening").pipe(
        Effect.annotateLogs({
          address: url,
          ...Option.match(opsUrl, { onNone: () => ({}), onSome: (ops_address) => ({ ops_address }) }),
          ...about
        })
      )
      if (isLocal(config)) {
        // Whoever opens the link at once finds the page.
        yield* Fiber.join(built)
        const consoleUrl = Option.getOrElse(opsUrl, () => url)
        yield* printDemo(url, config, makeConsoleLink(consoleUrl, console))
      }
    }
    if (isLocal(config) && Option.isSome(sandbox)) yield* Layer.build(layerLife(sandbox.value))
    yield* died
  }).pipe(Effect.provideContext(parts))
})

const run = Effect.fnUntraced(
  function* (config: HostConfig) {
    yield* makeDataFolder(config.dataFolder)
    const secrets = yield* hostSecrets(config)
    const database = yield* Layer.build(layerDatabase(config))
    yield* Effect.provideContext(runOn(config, secrets), database)
  },
  Effect.scoped,
  explainFailure
)

/** `loopbox serve`: until a signal, or until it cannot go on. */
export const serve = Effect.fnUntraced(function* (flags: GivenFlags) {
  const config = yield* loadHostConfig(flags, { needsSecrets: true })
  yield* Effect.gen(function* () {
    yield* logging.logWarnings(config)
    yield* Option.match(guessedLinks(config), {
      onNone: () => Effect.void,
      onSome: (warning) => Effect.logWarning(warning)
    })
    const host = yield* Effect.forkChild(run(config))
    const signal = yield* Effect.raceFirst(stopSignal, Fiber.join(host))
    yield* Effect.logInfo("stopping").pipe(Effect.annotateLogs({ signal: String(signal) }))
    yield* Fiber.interrupt(host)
    yield* Effect.logInfo("stopped")
  }).pipe(Effect.provide(Layer.provideMerge(telemetry.layer(config), logging.layer(config))))
})
