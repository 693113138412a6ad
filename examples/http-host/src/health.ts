import { findClusterNodes, Migrations, PgClock } from "@loopbox/adapters-postgres"
import { GifEncoder } from "@loopbox/core/conversions/GifEncoder"
import { type HealthCheck, Unhealthy } from "@loopbox/core/kernel/HealthCheck"
import type { BlobStore } from "@loopbox/core/media/BlobStore"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { HostConfig } from "./hostConfig.ts"
import { deepest } from "./startFailure.ts"
import { reachCheck } from "./webhookReach.ts"

const decodeServer = Schema.decodeUnknownEffect(
  Schema.NonEmptyArray(
    Schema.Struct({ version: Schema.String, is_standby: Schema.Boolean, read_only: Schema.Literals(["on", "off"]) })
  )
)

/** A dependency that hangs is one that is down. */
const patience = Duration.seconds(4)

const check = <E>(name: string, run: Effect.Effect<string, E>, explain: (error: E) => string): HealthCheck => ({
  name,
  run: run.pipe(
    Effect.mapError((error) => new Unhealthy({ message: explain(error) })),
    Effect.timeoutOrElse({
      duration: patience,
      orElse: () => new Unhealthy({ message: `no answer within ${Duration.format(patience)}` })
    })
  )
})

const describeEngine = ({ path, version, warnings }: Effect.Success<GifEncoder["Service"]["health"]>): string =>
  [`${version}, ${path}`, ...warnings].join(". ")

/** A trial starts processes and converts: on a busy machine that takes many seconds and is no fault of the encoder. */
export const trialPatience = Duration.seconds(30)

/** Whether conversions can be made here, by a trial that is made now. */
export const engineTrial = <E extends { readonly detail: string }>(
  trial: Effect.Effect<Effect.Success<GifEncoder["Service"]["health"]>, E>
): HealthCheck => ({
  name: "ffmpeg",
  run: trial.pipe(
    Effect.map(describeEngine),
    Effect.mapError(({ detail }) => new Unhealthy({ message: detail })),
    Effect.timeoutOrElse({
      duration: trialPatience,
      orElse: () =>
        new Unhealthy({
          message: `its trial timed out after ${Duration.format(trialPatience)}: is the machine busy? Ask again when it is not`
        })
    })
  )
})

/**
 * Whether all nodes of a distributed database answer. While one doesn't, the workspaces of the others are served, and a host
 * that is taken out of service would help nobody: another one has the same database.
 */
const nodesCheck = (sql: SqlClient): HealthCheck => ({
  name: "nodes",
  run: Effect.provideService(findClusterNodes, SqlClient, sql).pipe(
    Effect.mapError(({ message }) => `the nodes can't be asked: ${message}`),
    Effect.timeoutOrElse({
      duration: patience,
      orElse: () => Effect.fail(`the nodes can't be asked: no answer within ${Duration.format(patience)}`)
    }),
    Effect.flatMap(
      Option.match({
        onNone: () => Effect.succeed("one server"),
        onSome: ({ away, nodes }) =>
          away.length === 0
            ? Effect.succeed(`all ${nodes.length} nodes answer`)
            : Effect.fail(`${away.join(", ")} of ${nodes.length} nodes is away: the workspaces that lie there wait`)
      })
    ),
    Effect.mapError((message) => new Unhealthy({ message, isPartial: true }))
  )
})

/** Whether the place of the files takes one. */
export const blobsCheck = (probe: BlobStore["Service"]["probe"]): HealthCheck =>
  check(
    "blobs",
    Effect.map(probe, (place) => `${place} takes files`),
    // The deepest: of a full disk the platform's own error says no more than "Unknown".
    ({ cause }) => (cause instanceof Error ? `no files can be stored: ${deepest(cause)}` : "no files can be stored")
  )

/** A standby answers every question and refuses every write: a host on one would look well and store nothing. */
const describeServer = ([{ is_standby, read_only, version }]: Effect.Success<ReturnType<typeof decodeServer>>) => {
  if (read_only === "off") return Effect.succeed(`PostgreSQL ${version}`)
  const why = is_standby
    ? "it is a standby. Name the primary, or all servers, parted by commas"
    : "it is set to read only"
  return Effect.fail({ message: `PostgreSQL ${version} takes no writes: ${why}` })
}

/** Whether the database answers and takes writes, by a row of what it is. */
export const databaseCheck = <E extends { readonly message: string }>(
  server: Effect.Effect<unknown, E>
): HealthCheck => {
  const known = server.pipe(
    Effect.flatMap(decodeServer),
    Effect.mapError(({ message }) => ({ message: `the database does not answer: ${message}` })),
    Effect.flatMap(describeServer)
  )
  return check("database", known, ({ message }) => message)
}

/** Checks of what every process needs; a distributed database has one more. `probe` tries the place of the files. */
export const commonChecks = Effect.fnUntraced(function* (config: HostConfig, probe: BlobStore["Service"]["probe"]) {
  const sql = yield* SqlClient
  const cluster = yield* Effect.orElseSucceed(findClusterNodes, () => Option.none())
  const clock = yield* PgClock.PgClock
  const server = sql`SELECT current_setting('server_version') AS version, pg_is_in_recovery() AS is_standby,
    current_setting('transaction_read_only') AS read_only`
  const checks: ReadonlyArray<HealthCheck> = [
    databaseCheck(server),
    check(
      "migrations",
      Effect.map(Effect.provideService(Migrations.check, SqlClient, sql), Migrations.describe),
      (error) => error.message
    ),
    blobsCheck(probe),
    clock.health,
    reachCheck(config),
    ...(Option.isSome(cluster) ? [nodesCheck(sql)] : [])
  ]
  return checks
})

/** Whether conversions can be made here, by what is known of the encoder. */
const engineCheck = ({ health }: Pick<GifEncoder["Service"], "health">): HealthCheck =>
  check("ffmpeg", Effect.map(health, describeEngine), ({ detail }) => detail)

/** The same of the encoder at hand. */
export const ffmpegCheck = Effect.map(GifEncoder, engineCheck)
