import type { HealthCheck } from "@loopbox/core/kernel/HealthCheck"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Schema from "effect/Schema"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import { compareCounters } from "./counters.ts"
import { compareSealingKeys } from "./credentials.ts"
import { Database } from "./database.ts"
import { makeDataFolder } from "./dataFolder.ts"
import { commonChecks, ffmpegCheck } from "./health.ts"
import type { HostConfig } from "./hostConfig.ts"
import { layerBlobs, layerDatabase, layerEncoder } from "./hostLayers.ts"
import { hostSecrets } from "./hostSecrets.ts"
import { checkInstallation } from "./installation.ts"
import { readServing } from "./serving.ts"
import { explainFailure } from "./startFailure.ts"

/** One line of `loopbox doctor`. */
export interface Finding {
  readonly name: string
  readonly status: "ok" | "failed"
  readonly message: string
}

const ok = (name: string, message: string): Finding => ({ name, status: "ok", message })
const failed = (name: string, message: string): Finding => ({ name, status: "failed", message })

const find = ({ name, run }: HealthCheck) =>
  run.pipe(
    Effect.map((message) => ok(name, message)),
    Effect.catchTag("Unhealthy", ({ message }) => Effect.succeed(failed(name, message)))
  )

/** Whether secrets, database and blob folder belong together. */
const findSecrets = Effect.fnUntraced(
  function* (config: HostConfig) {
    yield* checkInstallation(config, yield* hostSecrets(config))
    return ok("secrets", "keys, database and blob folder belong together")
  },
  Effect.catchTags({ CommandFailed: ({ message }) => Effect.succeed(failed("secrets", message)) })
)

const examineDatabase = Effect.fnUntraced(
  function* (config: HostConfig) {
    const { description } = yield* Database
    const secrets = yield* findSecrets(config)
    const blobs = yield* Layer.build(layerBlobs(config))
    const checks = yield* Effect.provideContext(commonChecks, blobs)
    const found = yield* Effect.forEach(checks, find, { concurrency: "unbounded" })
    return [
      ...found.map((one) => (one.name === "database" ? { ...one, message: `${description}: ${one.message}` } : one)),
      secrets
    ]
  },
  Effect.scoped,
  explainFailure
)

const examineEncoder = (config: HostConfig) =>
  Effect.flatMap(ffmpegCheck, find).pipe(
    Effect.provide(layerEncoder(config)),
    Effect.catchTag("EngineMissing", ({ detail }) => Effect.succeed(failed("ffmpeg", detail)))
  )

const Readiness = Schema.fromJsonString(
  Schema.Struct({
    checks: Schema.Array(
      Schema.Struct({ name: Schema.String, status: Schema.Literals(["ok", "failed"]), message: Schema.String })
    )
  })
)

/** What the host that has the embedded database says of itself. */
const askHost = Effect.fnUntraced(
  function* (config: HostConfig) {
    const url = yield* Effect.flatMap(readServing(config.dataFolder), Effect.fromOption)
    const client = yield* HttpClient.HttpClient
    const text = yield* Effect.flatMap(client.get(`${url}/readyz`), (response) => response.text)
    const { checks } = yield* Schema.decodeUnknownEffect(Readiness)(text)
    return [ok("host", `${url} answers`), ...checks.filter(({ name }) => name !== "ffmpeg")]
  },
  Effect.timeout("10 seconds"),
  Effect.provide(FetchHttpClient.layer)
)

interface Comparison {
  readonly isWell: boolean
  readonly message: string
}

/** A database that is away, or of another version, was told of already. */
const findBeside = <E, R>(name: string, what: string, compared: Effect.Effect<Comparison, E, R>) =>
  compared.pipe(
    Effect.map(({ isWell, message }) => (isWell ? ok(name, message) : failed(name, message))),
    Effect.catchCause(() => Effect.succeed(failed(name, `${what} cannot be compared now`)))
  )

/** Looks at everything that a host needs, mends the counters if asked, and keeps nothing open. */
export const examine = Effect.fnUntraced(
  function* (config: HostConfig, options: { readonly repair: boolean }) {
    yield* makeDataFolder(config.dataFolder)
    const encoder = yield* examineEncoder(config)
    const rest: ReadonlyArray<Finding> = yield* examineDatabase(config).pipe(
      Effect.provide(layerDatabase(config, { migrate: false })),
      Effect.catchIf(
        (error) => error._tag === "EmbeddedPostgresError" && error.reason === "InUse",
        ({ message }) =>
          Effect.orElseSucceed(askHost(config), () => [failed("database", `${message} It does not answer.`)])
      ),
      explainFailure,
      Effect.catchTag("CommandFailed", ({ message }) => Effect.succeed([failed("database", message)])),
      // A statement that names what is not there.
      Effect.catchDefect(() =>
        Effect.succeed([
          failed("migrations", "the database has no tables of this version; `loopbox migrate` makes them")
        ])
      )
    )
    const credentials = findBeside("credentials", "keys and sealed tokens", compareSealingKeys(config))
    const counters = findBeside("counters", "the unread counters", compareCounters(config, options.repair))
    return [encoder, ...rest, yield* credentials, yield* counters]
  },
  // What is found is printed, in one place and one form.
  Effect.provide(Logger.layer([]))
)
