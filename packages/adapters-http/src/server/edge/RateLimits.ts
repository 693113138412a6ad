import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { HttpSettings } from "../system/HttpSettings.ts"
import { makeRateLimiter, type RateVerdict } from "./rateLimit.ts"

/** The buckets of this process's keys: one set for everything that a key may call. */
export class RateLimits extends Context.Service<
  RateLimits,
  {
    /** Takes one request of a key; absent when nothing is limited. */
    readonly take: (key: string) => Effect.Effect<Option.Option<RateVerdict & { readonly burst: number }>>
  }
>()("@loopbox/adapters-http/server/edge/RateLimits") {
  static readonly layer: Layer.Layer<RateLimits, never, HttpSettings> = Layer.effect(
    RateLimits,
    Effect.gen(function* () {
      const { rateLimit } = yield* HttpSettings
      if (Option.isNone(rateLimit)) return RateLimits.of({ take: () => Effect.succeedNone })
      const limiter = makeRateLimiter(rateLimit.value)
      const { burst } = rateLimit.value
      return RateLimits.of({
        take: (key) => Effect.map(limiter.take(key), (verdict) => Option.some({ ...verdict, burst }))
      })
    })
  )
}
