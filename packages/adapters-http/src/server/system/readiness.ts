import type { HealthCheck } from "@loopbox/core/kernel/HealthCheck"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"

/** What one check found. */
export interface Finding {
  readonly name: string
  /** "degraded": not well, and no reason to send no requests here. */
  readonly status: "ok" | "degraded" | "failed"
  readonly message: string
}

/** What `/readyz` answers. */
export interface Readiness {
  readonly status: "ok" | "failed" | "draining"
  readonly checks: ReadonlyArray<Finding>
}

/** Runs one check within its time; whatever happens is a finding. */
export const runCheck = ({ name, run }: HealthCheck, timeout: Duration.Input): Effect.Effect<Finding> => {
  const failed = (message: string): Finding => ({ name, status: "failed", message })
  return run.pipe(
    Effect.map((message): Finding => ({ name, status: "ok", message })),
    Effect.timeoutOrElse({ duration: timeout, orElse: () => Effect.succeed(failed("did not answer in time")) }),
    Effect.catchTag("Unhealthy", ({ isPartial = false, message }) =>
      Effect.succeed<Finding>(isPartial ? { name, status: "degraded", message } : failed(message))
    ),
    Effect.catchDefect((defect) => Effect.as(Effect.logError("a health check died", defect), failed("died")))
  )
}

/** A look is good for so long: probes come from several sides, and a flood of them must not reach the database. */
const fresh = Duration.toNanosUnsafe("2 seconds")

/** Says in the log what changed, for who asks from outside is told little. */
const logChanges = (before: ReadonlyArray<Finding>, now: ReadonlyArray<Finding>) =>
  Effect.forEach(
    now,
    ({ message, name, status }) => {
      const was = before.find((one) => one.name === name)?.status ?? "ok"
      if (status === was) return Effect.void
      return status === "ok"
        ? Effect.logInfo(`the check of ${name} is well again`)
        : Effect.logWarning(`the check of ${name} ${status === "failed" ? "fails" : "is degraded"}: ${message}`)
    },
    { discard: true }
  )

/**
 * How ready the process is. All checks are run at once, one look at a time: who asks meanwhile gets what it finds, and
 * for two seconds so does everybody. A look goes on when the one who asked first is gone.
 */
export const makeReadiness = Effect.fnUntraced(function* (options: {
  readonly checks: ReadonlyArray<HealthCheck>
  readonly timeout: Duration.Input
  readonly draining: Ref.Ref<boolean>
}) {
  const scope = yield* Effect.scope
  let known: { readonly findings: ReadonlyArray<Finding>; readonly at: bigint } | undefined
  let running: Deferred.Deferred<ReadonlyArray<Finding>> | undefined

  const look = Effect.gen(function* () {
    const findings = yield* Effect.forEach(options.checks, (check) => runCheck(check, options.timeout), {
      concurrency: "unbounded"
    })
    yield* logChanges(known?.findings ?? [], findings)
    known = { findings, at: yield* Clock.monotonicTimeNanos }
    return findings
  })
  const join = Effect.suspend(() => {
    if (running !== undefined) return Deferred.await(running)
    const found = Deferred.makeUnsafe<ReadonlyArray<Finding>>()
    running = found
    return look.pipe(
      Effect.onExit((exit) =>
        Effect.suspend(() => {
          running = undefined
          return Deferred.done(found, exit)
        })
      ),
      Effect.forkIn(scope),
      Effect.andThen(Deferred.await(found))
    )
  })

  return Effect.gen(function* (): Effect.fn.Return<Readiness> {
    if (yield* Ref.get(options.draining)) return { status: "draining", checks: [] }
    const isFresh = known !== undefined && (yield* Clock.monotonicTimeNanos) - known.at < fresh
    const checks = known !== undefined && isFresh ? known.findings : yield* join
    return { status: checks.some(({ status }) => status === "failed") ? "failed" : "ok", checks }
  })
})

const forStranger: Readonly<Record<Finding["status"], string>> = {
  ok: "ok",
  degraded: "does not work in part; the log says why",
  failed: "fails; the log says why"
}

/** The same for a stranger, who is not told paths, versions and errors. */
export const forStrangers = ({ checks, status }: Readiness): Readiness => ({
  status,
  checks: checks.map((check) => ({ ...check, message: forStranger[check.status] }))
})
