import * as Arr from "effect/Array"
import * as Config from "effect/Config"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as path from "node:path"
import { CommandFailed } from "./CommandFailed.ts"
import type { BlobPlace, S3Key } from "./blobPlace.ts"
import { type EdgeConfig, edgeConfig } from "./edgeSettings.ts"
import { type NetworkConfig, networkConfig } from "./networkConfig.ts"
import { type Environment, type GivenFlags, givenAs, readEnvironment, toConfigProvider } from "./environment.ts"
import type { SecretKeys } from "@loopbox/embedded/presets/secretKeys"
import type { Setting } from "./Setting.ts"
import { settings } from "./settings.ts"

/** What the host was told, checked; folders are absolute. */
export interface HostConfig extends NetworkConfig {
  readonly databaseUrl: Option.Option<Redacted.Redacted<string>>
  /** Connections for requests, and for what workers do. */
  readonly databasePool: number
  readonly workerPool: number
  /** The database itself, where `databaseUrl` is a pooler. */
  readonly listenerUrl: Option.Option<Redacted.Redacted<string>>
  readonly dataFolder: string
  readonly blobs: BlobPlace
  /** Where downloads with a key get their bytes. */
  readonly blobDownloads: "host" | "bucket"
  /** Of whatever bucket is opened. */
  readonly s3Key: Option.Option<S3Key>
  readonly host: string
  /** Absent: a worker that listens nowhere. */
  readonly port: Option.Option<number>
  readonly role: "all" | "api" | "worker"
  readonly publicUrl: Option.Option<string>
  readonly adminToken: Option.Option<Redacted.Redacted<string>>
  /** Those that count beside it. */
  readonly olderAdminTokens: ReadonlyArray<Redacted.Redacted<string>>
  /** Whether it serves the console. */
  readonly hasConsole: boolean
  readonly secretKeys: Option.Option<Redacted.Redacted<SecretKeys>>
  readonly networks: "sandbox" | "live"
  readonly ffmpeg: Option.Option<string>
  readonly conversionsAtOnce: number
  readonly processingLimit: Duration.Duration
  readonly lease: Duration.Duration
  readonly drain: Duration.Duration
  readonly close: Duration.Duration
  readonly sweepEvery: Duration.Duration
  /** Absent: accounts are polled only when somebody asks. */
  readonly pollEvery: Option.Option<Duration.Duration>
  readonly pollQuietFactor: number
  /** Of recent events, for WebSockets. */
  readonly feedMemory_mb: number
  /** In posts. */
  readonly confirmBackfillAbove: number
  readonly edge: EdgeConfig
  readonly hasTestClock: boolean
  readonly logLevel: LogLevel.LogLevel
  readonly logFormat: "pretty" | "json"
  readonly otlpEndpoint: Option.Option<string>
  readonly url: Option.Option<string>
  /** Of commands that ask a host in a workspace's name. */
  readonly apiKey: Option.Option<Redacted.Redacted<string>>
  readonly isProduction: boolean
  /** Sentences for the log. */
  readonly warnings: ReadonlyArray<string>
  /** What it was read from. */
  readonly given: Environment
}
type Parsed = Omit<HostConfig, "warnings" | "given">

const table = Object.values(settings)

/** The older setting was one number for everything: each pool has half of it, so that no more are opened than before. */
const poolsOf = (given: {
  readonly databaseConnections: Option.Option<number>
  readonly databasePool: Option.Option<number>
  readonly workerPool: Option.Option<number>
}) => {
  const half = Option.match(given.databaseConnections, {
    onNone: () => 10,
    onSome: (all) => Math.max(2, Math.floor(all / 2))
  })
  return {
    databasePool: Option.getOrElse(given.databasePool, () => half),
    workerPool: Option.getOrElse(given.workerPool, () => half)
  }
}

const config: Config.Config<Parsed> = Config.all({
  databaseUrl: settings.databaseUrl.config,
  databasePool: settings.databasePool.config,
  workerPool: settings.workerPool.config,
  databaseConnections: settings.databaseConnections.config,
  listenerUrl: settings.listenerUrl.config,
  data: settings.data.config,
  blobs: settings.blobs.config,
  blobDownloads: settings.blobDownloads.config,
  s3AccessKeyId: settings.s3AccessKeyId.config,
  s3SecretAccessKey: settings.s3SecretAccessKey.config,
  host: settings.host.config,
  port: settings.port.config,
  role: settings.role.config,
  publicUrl: settings.publicUrl.config,
  adminTokens: settings.adminToken.config,
  console: settings.console.config,
  secretKeys: settings.secretKeys.config,
  networks: settings.networks.config,
  ...networkConfig,
  ffmpeg: settings.ffmpeg.config,
  conversionsAtOnce: settings.conversionsAtOnce.config,
  processingLimit: settings.processingLimit.config,
  lease: settings.lease.config,
  drain: settings.drain.config,
  close: settings.close.config,
  sweepEvery: settings.sweepEvery.config,
  pollEvery: settings.pollEvery.config,
  pollQuietFactor: settings.pollQuietFactor.config,
  feedMemory_mb: settings.feedMemory_mb.config,
  confirmBackfillAbove: settings.confirmBackfillAbove.config,
  edge: edgeConfig,
  testClock: settings.testClock.config,
  logLevel: settings.logLevel.config,
  logFormat: settings.logFormat.config,
  otlpEndpoint: settings.otlpEndpoint.config,
  url: settings.url.config,
  apiKey: settings.apiKey.config,
  nodeEnv: settings.nodeEnv.config
}).pipe(
  Config.map(
    ({
      adminTokens,
      blobs,
      console,
      data,
      databaseConnections,
      databasePool,
      workerPool,
      logFormat,
      networks,
      nodeEnv,
      port,
      s3AccessKeyId,
      s3SecretAccessKey,
      testClock,
      ...same
    }) => {
      const dataFolder = path.resolve(data)
      const isConfigured = Option.isSome(same.databaseUrl)
      return {
        ...same,
        ...poolsOf({ databaseConnections, databasePool, workerPool }),
        dataFolder,
        adminToken: Option.map(adminTokens, (list) => Redacted.make(Arr.headNonEmpty(Redacted.value(list)))),
        olderAdminTokens: Option.match(adminTokens, {
          onNone: () => [],
          onSome: (list) =>
            Redacted.value(list)
              .slice(1)
              .map((token) => Redacted.make(token))
        }),
        blobs: Option.getOrElse(blobs, (): BlobPlace => ({ kind: "folder", folder: path.join(dataFolder, "blobs") })),
        s3Key: Option.all({ accessKeyId: s3AccessKeyId, secretAccessKey: s3SecretAccessKey }),
        port: same.role === "worker" ? port : Option.orElseSome(port, () => 8080),
        networks: Option.getOrElse(networks, () => (isConfigured ? "live" : "sandbox")),
        logFormat: Option.getOrElse(logFormat, () => (process.stdout.isTTY ? "pretty" : "json")),
        hasConsole: Option.getOrElse(console, () => (isConfigured ? "off" : "on")) === "on",
        hasTestClock: testClock === "on",
        isProduction: Option.contains(nodeEnv, "production")
      }
    }
  )
)

/** What each wrong variable must be; all of them, not only the first. */
const findProblems = Effect.fnUntraced(function* (environment: Environment) {
  const provider = toConfigProvider(environment)
  const outcomes = yield* Effect.forEach(table, ({ config }: Setting<unknown>) => Effect.result(config.parse(provider)))
  return table.flatMap(({ allowed, explain, isSecret, name }, at) => {
    const variable = environment.get(name)
    if (outcomes[at]?._tag !== "Failure" || variable === undefined) return []
    const given = isSecret ? "" : (explain?.(variable.text) ?? ` It is ${JSON.stringify(variable.text)}.`)
    return [`${givenAs(environment, name)} must be ${allowed}.${given}`]
  })
})

const providerNames = [
  settings.dashboardJwksUrl.name,
  settings.dashboardIssuer.name,
  settings.dashboardAudience.name
] as const

/** Rules that tie several variables together. */
const contradictions = (host: Parsed, environment: Environment, needsSecrets: boolean): ReadonlyArray<string> => [
  ...(Option.isNone(host.dashboard) && providerNames.some((name) => environment.has(name))
    ? [`${providerNames.join(", ")} must be set together, or none of them.`]
    : []),
  ...(environment.has(settings.xClientSecret.name) && !environment.has(settings.xClientId.name)
    ? [`${settings.xClientId.name} must be set when ${settings.xClientSecret.name} is.`]
    : []),
  ...(host.blobDownloads === "bucket" && host.blobs.kind === "folder"
    ? [`${settings.blobDownloads.name} may be bucket only where ${settings.blobs.name} is s3://….`]
    : []),
  ...(environment.has(settings.s3AccessKeyId.name) !== environment.has(settings.s3SecretAccessKey.name)
    ? [`${settings.s3AccessKeyId.name} and ${settings.s3SecretAccessKey.name} must be set together, or none of them.`]
    : []),
  ...(needsSecrets && Option.isSome(host.databaseUrl) && Option.isNone(host.secretKeys)
    ? [`${settings.secretKeys.name} must be set when ${settings.databaseUrl.name} is: ${settings.secretKeys.allowed}.`]
    : []),
  ...(needsSecrets &&
  host.hasConsole &&
  host.role !== "worker" &&
  Option.isSome(host.databaseUrl) &&
  Option.isNone(host.adminToken)
    ? [`${settings.adminToken.name} must be set when ${settings.console.name} is on: who signs in gives it.`]
    : []),
  ...(Option.exists(host.port, (port) => port !== 0 && Option.contains(host.edge.opsPort, port))
    ? [`${settings.opsPort.name} must be another port than ${givenAs(environment, settings.port.name)}.`]
    : []),
  ...(host.hasTestClock && host.isProduction
    ? [`${settings.testClock.name} must be off when NODE_ENV is production.`]
    : [])
]

/** Names of later versions, and of the tests, that are no slips of the pen. */
const isKnown = (name: string): boolean => name === "LOOPBOX_CORPUS" || table.some((setting) => setting.name === name)

const findWarnings = (environment: Environment, hasTestClock: boolean): ReadonlyArray<string> => [
  ...[...environment.keys()]
    .filter((name) => name.startsWith("LOOPBOX_") && !isKnown(name))
    .map((name) => `${name} is no setting of this version and does nothing. \`loopbox config\` lists all settings.`),
  ...(environment.has(settings.databaseConnections.name)
    ? [
        `${settings.databaseConnections.name} is outdated: half of it goes to each of ${settings.databasePool.name} and ` +
          `${settings.workerPool.name}. Set these instead.`
      ]
    : []),
  ...(hasTestClock ? [`${settings.testClock.name} is on: whoever has the admin token can move the clock.`] : [])
]

/**
 * Judges the environment; fails with every problem in one message. Secrets are wanted by what serves, not by what only
 * looks at the database.
 */
export const readHostConfig = Effect.fn("hostConfig.read")(function* (
  environment: Environment,
  options: { readonly needsSecrets: boolean }
) {
  const problems = yield* findProblems(environment)
  if (problems.length > 0) {
    const isMisuse = problems.every((problem) => problem.startsWith("--"))
    return yield* new CommandFailed({ message: problems.join("\n"), ...(isMisuse ? { isMisuse } : {}) })
  }
  const host = yield* config.parse(toConfigProvider(environment)).pipe(Effect.orDie)
  const contradicting = contradictions(host, environment, options.needsSecrets)
  if (contradicting.length > 0) return yield* new CommandFailed({ message: contradicting.join("\n") })
  const read: HostConfig = { ...host, warnings: findWarnings(environment, host.hasTestClock), given: environment }
  return read
})

/** The configuration of a command that does not serve. */
export const loadHostConfig = (
  flags: GivenFlags = {},
  options: { readonly needsSecrets: boolean } = { needsSecrets: false }
): Effect.Effect<HostConfig, CommandFailed, FileSystem.FileSystem> =>
  Effect.flatMap(readEnvironment(flags), (environment) => readHostConfig(environment, options))
