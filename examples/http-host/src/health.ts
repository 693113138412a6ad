import { Migrations, PgClock } from "@loopbox/adapters-postgres"
import { GifEncoder } from "@loopbox/core/conversions/GifEncoder"
import { type HealthCheck, Unhealthy } from "@loopbox/core/kernel/HealthCheck"
import { BlobStore } from "@loopbox/core/media/BlobStore"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"

const decodeVersion = Schema.decodeUnknownEffect(Schema.NonEmptyArray(Schema.Struct({ server_version: Schema.String })))

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

/** Checks of what every process needs. */
export const commonChecks = Effect.gen(function* () {
  const sql = yield* SqlClient
  const blobs = yield* BlobStore
  const clock = yield* PgClock.PgClock
  const version = Effect.flatMap(sql`SHOW server_version`, decodeVersion)
  const checks: ReadonlyArray<HealthCheck> = [
    check(
      "database",
      Effect.map(version, ([row]) => `PostgreSQL ${row.server_version}`),
      (error) => `the database does not answer: ${error.message}`
    ),
    check(
      "migrations",
      Effect.map(Effect.provideService(Migrations.check, SqlClient, sql), Migrations.describe),
      (error) => error.message
    ),
    check(
      "blobs",
      Effect.map(blobs.probe, (place) => `${place} takes files`),
      ({ cause }) => (cause instanceof Error ? `no files can be stored: ${cause.message}` : "no files can be stored")
    ),
    clock.health
  ]
  return checks
})

/** Whether conversions can be made here, by what is known of the encoder. */
export const engineCheck = ({ health }: Pick<GifEncoder["Service"], "health">): HealthCheck =>
  check(
    "ffmpeg",
    Effect.map(health, ({ path, version, warnings }) => [`${version}, ${path}`, ...warnings].join(". ")),
    ({ detail }) => detail
  )

/** The same of the encoder at hand. */
export const ffmpegCheck = Effect.map(GifEncoder, engineCheck)
