import { examineFfmpeg } from "@loopbox/adapters-ffmpeg"
import { examineBucket } from "@loopbox/adapters-blobs/s3/BucketExamination"
import { type Finding, runCheck } from "@loopbox/adapters-http/server/system/readiness"
import type { HealthCheck } from "@loopbox/core/kernel/HealthCheck"
import { BlobStore } from "@loopbox/core/media/BlobStore"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import { existsSync, statSync } from "node:fs"
import { bucketOptions } from "./blobPlace.ts"
import { CommandFailed } from "./CommandFailed.ts"
import { compareCounters } from "./counters.ts"
import { compareSealingKeys, noKeys } from "./credentials.ts"
import { compareFiles } from "./examineFiles.ts"
import { examineNodes } from "./examineNodes.ts"
import { Database, isUntouched } from "./database.ts"
import { commonChecks, engineTrial, trialPatience } from "./health.ts"
import type { HostConfig } from "./hostConfig.ts"
import { encoderChoice, layerBlobs, layerDatabase } from "./hostLayers.ts"
import { findAdminToken, readSecretKeys } from "./hostSecrets.ts"
import { examineInstallation } from "./installation.ts"
import { readServing } from "./serving.ts"
import { explainFailure } from "./startFailure.ts"
import { compareStatistics } from "./statistics.ts"

const ok = (name: string, message: string): Finding => ({ name, status: "ok", message })
const failed = (name: string, message: string): Finding => ({ name, status: "failed", message })

const find = (check: HealthCheck) => runCheck(check, "5 seconds")

/** Whether secrets, database and place of files belong together. */
const findSecrets = Effect.fnUntraced(
  function* (config: HostConfig) {
    const keys = yield* readSecretKeys(config)
    if (Option.isNone(keys)) return failed("secrets", noKeys(config))
    return Option.match(yield* examineInstallation(config, keys.value), {
      onNone: () => ok("secrets", "no host has been started on this database yet"),
      onSome: (id) => ok("secrets", `keys, database and files belong together; started last with key "${id}"`)
    })
  },
  Effect.catchTags({ CommandFailed: ({ message }) => Effect.succeed(failed("secrets", message)) })
)

const probeOf = (opened: Context.Context<BlobStore>) => Context.get(opened, BlobStore).probe

/** A folder for files that a look must not make; whether another one is meant, the check of the secrets says. */
const missingFolder = ({ blobs }: HostConfig): Option.Option<string> =>
  blobs.kind === "folder" && !existsSync(blobs.folder)
    ? Option.some(`${blobs.folder} is not there yet; a host that is started makes it`)
    : Option.none()

const examineDatabase = Effect.fnUntraced(
  function* (config: HostConfig) {
    const { description } = yield* Database
    const secrets = yield* findSecrets(config)
    // A place that can't even be opened is what the check of the files says, not that of the database.
    const missing = missingFolder(config)
    const blobs = Option.isSome(missing) ? undefined : yield* Effect.result(Layer.build(layerBlobs(config)))
    const probe = blobs === undefined ? Effect.succeed("") : Effect.flatMap(Effect.fromResult(blobs), probeOf)
    const checks = yield* commonChecks(config, probe)
    const found = yield* Effect.forEach(checks, find, { concurrency: "unbounded" })
    return [
      ...found.map((one) => {
        if (one.name === "blobs" && Option.isSome(missing)) return ok("blobs", missing.value)
        return one.name === "database" ? { ...one, message: `${description}: ${one.message}` } : one
      }),
      secrets
    ]
  },
  Effect.scoped,
  explainFailure
)

/** In a temporary folder: the encoder itself would make its scratch folder. */
const examineEncoder = (config: HostConfig) =>
  runCheck(engineTrial(examineFfmpeg(encoderChoice(config))), Duration.sum(trialPatience, Duration.seconds(1)))

const Readiness = Schema.fromJsonString(
  Schema.Struct({
    checks: Schema.Array(
      Schema.Struct({
        name: Schema.String,
        status: Schema.Literals(["ok", "degraded", "failed"]),
        message: Schema.String
      })
    )
  })
)

/** What the host that has the embedded database says of itself. */
const askHost = Effect.fnUntraced(
  function* (config: HostConfig) {
    const url = yield* Effect.flatMap(readServing(config.dataFolder), Effect.fromOption)
    const client = yield* HttpClient.HttpClient
    const token = yield* findAdminToken(config)
    // Who has the token is told what each check says.
    const headers = Option.match(token, {
      onNone: () => ({}),
      onSome: (known) => ({ authorization: `Bearer ${Redacted.value(known)}` })
    })
    const text = yield* Effect.flatMap(client.get(`${url}/readyz`, { headers }), (response) => response.text)
    const { checks } = yield* Schema.decodeUnknownEffect(Readiness)(text)
    return [ok("host", `${url} answers`), ...checks.filter(({ name }) => name !== "ffmpeg")]
  },
  Effect.timeout("10 seconds"),
  Effect.provide(FetchHttpClient.layer)
)

/** What only a bucket has: rights, a clock, and unfinished uploads. */
const examineBucketOf = Effect.fnUntraced(function* ({ blobs, s3Key }: HostConfig, repair: boolean) {
  if (blobs.kind === "folder") return []
  const found = yield* examineBucket(bucketOptions(blobs.bucket, s3Key), { mend: repair })
  return found.map(({ isWell, message, name }) => (isWell ? ok(name, message) : failed(name, message)))
})

const isNoFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === false

const nothingYet = ({ dataFolder }: HostConfig) =>
  isNoFolder(dataFolder)
    ? failed("database", `${dataFolder} is a file; LOOPBOX_DATA must be a folder, or a path where none is yet`)
    : ok("database", `${dataFolder} holds none yet; the first \`loopbox serve\` makes it, with files and secrets`)

interface Comparison {
  readonly isWell: boolean
  readonly message: string
}

/** A database that is away, or of another version, was told of already; of one that is away nothing more is asked. */
const findBeside = <E, R>(isAway: boolean, name: string, what: string, compared: Effect.Effect<Comparison, E, R>) => {
  const unknown = failed(name, `${what} cannot be compared now`)
  if (isAway) return Effect.succeed(unknown)
  return compared.pipe(
    Effect.map(({ isWell, message }) => (isWell ? ok(name, message) : failed(name, message))),
    Effect.catchCause(() => Effect.succeed(unknown))
  )
}

/** How long a server may take until a connection is open: every one of its addresses is given up before. */
const openWithin = "15 seconds"

/** A server is looked at as it is now; a database of our own is started, which takes the time that it takes. */
const openDatabase = (config: HostConfig) => {
  const opened = Layer.build(layerDatabase(config, { migrate: false, awaitsPromotion: false }))
  if (Option.isNone(config.databaseUrl)) return opened
  return Effect.timeoutOrElse(opened, {
    duration: openWithin,
    orElse: () => new CommandFailed({ message: `The database did not answer within ${openWithin}.` })
  })
}

interface Look {
  readonly found: ReadonlyArray<Finding>
  /** Whether the database cannot be reached at all. */
  readonly isAway: boolean
}

const answered = (found: ReadonlyArray<Finding>): Look => ({ found, isAway: false })

const lookAtDatabase = (config: HostConfig) =>
  Effect.flatMap(openDatabase(config), (opened) => Effect.provideContext(examineDatabase(config), opened)).pipe(
    Effect.scoped,
    Effect.map(answered),
    Effect.catchIf(
      (error) => error._tag === "EmbeddedPostgresError" && error.reason === "InUse",
      ({ message }) =>
        askHost(config).pipe(
          Effect.orElseSucceed(() => [failed("database", `${message} It does not answer.`)]),
          Effect.map(answered)
        )
    ),
    explainFailure,
    Effect.catchTag("CommandFailed", ({ message }) =>
      Effect.succeed<Look>({ found: [failed("database", message)], isAway: true })
    ),
    // A statement that names what is not there.
    Effect.catchDefect(() =>
      Effect.succeed(
        answered([failed("migrations", "the database has no tables of this version; `loopbox migrate` makes them")])
      )
    )
  )

/**
 * Looks at everything that a host needs, mends counters and statistics if asked, and keeps nothing open. It makes no folder, no
 * database and no secret.
 */
export const examine = Effect.fnUntraced(
  function* (config: HostConfig, options: { readonly repair: boolean; readonly files: boolean }) {
    const encoder = yield* examineEncoder(config)
    const bucket = yield* examineBucketOf(config, options.repair)
    if (yield* isUntouched(config)) return [encoder, ...bucket, nothingYet(config)]
    const { found, isAway } = yield* lookAtDatabase(config)
    const credentials = findBeside(isAway, "credentials", "keys and sealed tokens", compareSealingKeys(config))
    const counters = findBeside(isAway, "counters", "the unread counters", compareCounters(config, options.repair))
    const statistics = findBeside(
      isAway,
      "statistics",
      "tables and their statistics",
      compareStatistics(config, options.repair)
    )
    const compared = Option.match(missingFolder(config), {
      onNone: () => findBeside(isAway, "files", "records and files", compareFiles(config)),
      onSome: (message) => Effect.succeed(failed("files", message))
    })
    const files = options.files ? [yield* compared] : []
    const nodes = isAway || Option.isNone(config.databaseUrl) ? [] : yield* examineNodes(config, options.repair)
    // The nodes were asked once more, with all that is to be known of them.
    const others = found.filter(({ name }) => name !== "nodes")
    return [encoder, ...others, ...nodes, ...bucket, yield* credentials, yield* statistics, yield* counters, ...files]
  },
  // What is found is printed, in one place and one form.
  Effect.provide(Logger.layer([]))
)
