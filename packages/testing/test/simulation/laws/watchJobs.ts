import { Effect, Layer } from "effect"
import { ConversionStore } from "@loopbox/core/conversions/ConversionStore"
import { LeaseLaw } from "./LeaseLaw.ts"

const watch = (right: ConversionStore["Service"], law: LeaseLaw["Service"]) => {
  const ended = (id: string, token: string) =>
    Effect.sync(() => {
      law.take(id, token)
      law.endAskedAgain(id, token)
    })
  return ConversionStore.of({
    ...right,
    claim: (request) =>
      Effect.tap(right.claim(request), (outcome) =>
        Effect.sync(() => {
          if (outcome._tag === "Abandoned") law.giveUp(outcome.job.id, request.maxAttempts)
          if (outcome._tag !== "Claimed") return
          const { attempts, id } = outcome.claim.job
          law.claim(id, request)
          law.count(id, attempts - 1)
        })
      ),
    renew: (claim, until, progress) =>
      Effect.tap(right.renew(claim, until, progress), () =>
        Effect.sync(() => law.take(claim.job.id, claim.token, until))
      ),
    release: (claim, now) =>
      Effect.tap(right.release(claim, now), () =>
        Effect.sync(() => {
          law.take(claim.job.id, claim.token)
          law.end(claim.job.id)
          law.uncount(claim.job.id)
        })
      ),
    succeed: (claim, ...of) => Effect.tap(right.succeed(claim, ...of), () => ended(claim.job.id, claim.token)),
    fail: (claim, ...of) => Effect.tap(right.fail(claim, ...of), () => ended(claim.job.id, claim.token)),
    cancel: (...of) => Effect.tap(right.cancel(...of), ({ id }) => Effect.sync(() => law.end(id)))
  })
}

/** The store of media jobs under the law of leases. */
export const watchJobs = Layer.effect(ConversionStore, Effect.zipWith(ConversionStore, LeaseLaw, watch))
