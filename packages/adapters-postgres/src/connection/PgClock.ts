import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { HealthCheck } from "@loopbox/core/kernel/HealthCheck"
import { Unhealthy } from "@loopbox/core/kernel/HealthCheck"
import { LeaseClock } from "@loopbox/core/kernel/lease/LeaseClock"
import { supervised } from "@loopbox/core/kernel/lease/supervised"
import type { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import { one } from "../rows/rows.ts"
import { makeStoreCall } from "./storeFailure.ts"

export interface Options {
  /** Whether the test clock may move while this process runs: then its offset is read every second. False. */
  readonly testClock?: boolean
}

/** What is known of the machine's clock against the database's. */
export interface ClockSkew {
  /** Milliseconds that the database's clock is ahead of the machine's. */
  readonly aheadMs: number
  /** The measurement is wrong by at most so many milliseconds. */
  readonly errorMs: number
}

const MeasuredRow = Schema.Struct({ now_ms: Schema.Number, offset_ms: Schema.Number })
const OffsetRow = Schema.Struct({ offset_ms: Schema.Number })

/** A measurement that may be off by more is not taken, if a better one was had before. */
const tolerableErrorMs = 250

/**
 * The machine's two clocks go on side by side; where they are apart by so much more than when it was last measured,
 * somebody has set one of them, or the machine was asleep.
 */
const jumpMs = 1_000

/** Skew from which an operator should look: time is right all the same, for it follows the database's. */
const healthySkewMs = 5_000

/**
 * Time as the database has it, so that all machines agree, plus the test clock's offset. From one measurement to the next
 * it goes on by the monotonic clock: setting the machine's clock moves no time of ours, not for a moment.
 *
 * The layer sets Effect's Clock and core's LeaseClock for what it is provided to; sleeps and monotonic time stay the
 * machine's.
 */
export class PgClock extends Context.Service<
  PgClock,
  {
    readonly skew: Effect.Effect<ClockSkew>
    /** How far the test clock is ahead. */
    readonly offset: Effect.Effect<Duration.Duration>
    /**
     * Moves the test clock of all processes of the database and answers the new time. This process follows at once,
     * others within a second.
     */
    readonly advance: (by: Duration.Input) => Effect.Effect<DateTime.Utc, StoreUnavailable>
    readonly health: HealthCheck
  }
>()("@loopbox/adapters-postgres/connection/PgClock") {}

const make = Effect.fnUntraced(function* (options: Options) {
  const sql = yield* SqlClient
  const storeCall = yield* makeStoreCall
  const machine = yield* Clock.Clock
  let skew: ClockSkew = { aheadMs: 0, errorMs: Number.POSITIVE_INFINITY }
  let offsetMs = 0
  /** Both clocks of the machine when the skew was measured. */
  let measuredAt = { wall: 0, monotonic: 0n }

  const readMachine = () => machine.currentTimeMillisUnsafe()
  const sinceMs = (monotonic: bigint) => Number(machine.monotonicTimeNanosUnsafe() - monotonic) / 1_000_000
  const hasJumped = () => Math.abs(readMachine() - measuredAt.wall - sinceMs(measuredAt.monotonic)) > jumpMs
  const measureOnce = Effect.gen(function* () {
    const wall = readMachine()
    const start = machine.monotonicTimeNanosUnsafe()
    const row = yield* one(MeasuredRow)(sql`SELECT
      (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now_ms,
      (SELECT test_clock_offset_ms FROM installation WHERE is_only)::float8 AS offset_ms`)
    const tripMs = sinceMs(start)
    return {
      skew: { aheadMs: row.now_ms - (wall + tripMs / 2), errorMs: tripMs / 2 },
      at: { wall, monotonic: start },
      offsetMs: row.offset_ms
    }
  }).pipe(storeCall("clock.measure", "no"))

  /** The best of three: the first may pay for a new connection. */
  const measure = Effect.gen(function* () {
    const all = [yield* measureOnce, yield* measureOnce, yield* measureOnce]
    const best = all.reduce((a, b) => (b.skew.errorMs < a.skew.errorMs ? b : a))
    offsetMs = best.offsetMs
    if (best.skew.errorMs > tolerableErrorMs && best.skew.errorMs > skew.errorMs && !hasJumped()) return
    skew = best.skew
    measuredAt = best.at
  })

  const followOffset = sql`SELECT test_clock_offset_ms::float8 AS offset_ms FROM installation WHERE is_only`.pipe(
    one(OffsetRow),
    storeCall("clock.offset", "no"),
    Effect.map((row) => {
      offsetMs = row.offset_ms
    })
  )

  yield* measure
  if (offsetMs !== 0 && options.testClock !== true) {
    yield* Effect.logWarning(
      "this database's test clock was moved; time is shifted by",
      Duration.format(Duration.millis(offsetMs))
    )
  }
  const keepOn = (what: Effect.Effect<void, StoreUnavailable>, every: Duration.Input) =>
    // The last measurement goes on holding while the database is away.
    supervised("postgres.clock", Effect.andThen(Effect.sleep(every), Effect.ignore(what)))
  yield* keepOn(measure, "1 minute")
  yield* keepOn(
    Effect.suspend(() => (hasJumped() ? measure : Effect.void)),
    "1 second"
  )
  if (options.testClock === true) yield* keepOn(followOffset, "1 second")

  const leaseMillis = () => Math.round(measuredAt.wall + skew.aheadMs + sinceMs(measuredAt.monotonic))
  const millis = () => leaseMillis() + offsetMs
  const nanos = () => BigInt(millis()) * 1_000_000n
  const clock: Clock.Clock = {
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: () => machine.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: machine.monotonicTimeNanos,
    sleep: (duration) => machine.sleep(duration)
  }

  const advance = Effect.fn("PgClock.advance")(
    function* (by: Duration.Input) {
      const ms = Math.round(Duration.toMillis(Duration.fromInputUnsafe(by)))
      const row = yield* one(OffsetRow)(sql`UPDATE installation
        SET test_clock_offset_ms = test_clock_offset_ms + ${ms} WHERE is_only
        RETURNING test_clock_offset_ms::float8 AS offset_ms`)
      yield* sql`INSERT INTO test_clock (offset_ms) VALUES (${row.offset_ms}::bigint)
        ON CONFLICT (is_only) DO UPDATE SET offset_ms = excluded.offset_ms`
      return row.offset_ms
    },
    sql.withTransaction,
    Effect.map((ms) => {
      offsetMs = ms
      return DateTime.makeUnsafe(millis())
    }),
    storeCall("clock.advance", "unknown")
  )

  const health: HealthCheck = {
    name: "clock",
    run: Effect.suspend(() => {
      const found = `the machine's clock is ${Math.abs(Math.round(skew.aheadMs))} ms ${skew.aheadMs < 0 ? "ahead of" : "behind"} the database's`
      return Math.abs(skew.aheadMs) > healthySkewMs
        ? Effect.fail(new Unhealthy({ message: `${found}; set it, for example with NTP` }))
        : Effect.succeed(found)
    })
  }

  const service = PgClock.of({
    skew: Effect.sync(() => skew),
    offset: Effect.sync(() => Duration.millis(offsetMs)),
    advance,
    health
  })
  return Context.make(PgClock, service).pipe(
    Context.add(Clock.Clock, clock),
    Context.add(
      LeaseClock,
      Effect.sync(() => DateTime.makeUnsafe(leaseMillis()))
    )
  )
})

/** Sets the Clock and the LeaseClock; provide it to all that stores or compares times. */
export const layer = (options: Options = {}): Layer.Layer<PgClock, StoreUnavailable, SqlClient> =>
  Layer.effectContext(make(options))
