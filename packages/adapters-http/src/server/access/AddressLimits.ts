import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Hash from "effect/Hash"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as NetAddress from "effect/net/NetAddress"
import { makeRateLimiter } from "../edge/rateLimit.ts"
import { countRefusal } from "../system/httpMetrics.ts"
import { HttpSettings } from "../system/HttpSettings.ts"

/** Credentials that counted lately and are remembered; the one that was remembered first goes. */
const maxKnown = 10_000

/** Whose requests count together: one address, or the 64 bits of an IPv6 network that one customer has. */
export const limitedAddress = (remote: string): string => {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(remote)?.[1]
  if (mapped !== undefined || !remote.includes(":")) return mapped ?? remote
  return Result.match(NetAddress.ipv6FromString(remote), {
    onFailure: () => remote,
    onSuccess: (address) => NetAddress.ipv6ToSegments(address).slice(0, 4).join(":")
  })
}

/**
 * Bounds the attempts of strangers: each address has a bucket, out of which every refused credential takes one. While it
 * is empty no credential of that address is looked up, but for those that counted lately: who shares an address with
 * a stranger goes on.
 */
export class AddressLimits extends Context.Service<
  AddressLimits,
  {
    /** Seconds to wait before a credential may be looked up; absent when it may be now. */
    readonly judge: (
      token: Redacted.Redacted<string>
    ) => Effect.Effect<Option.Option<number>, never, HttpServerRequest.HttpServerRequest>
    /** The credential counted. */
    readonly noteGood: (token: Redacted.Redacted<string>) => void
    /** A credential was refused, or none was given. Seconds to wait, where that was one too many. */
    readonly noteRefused: Effect.Effect<Option.Option<number>, never, HttpServerRequest.HttpServerRequest>
  }
>()("@loopbox/adapters-http/server/AddressLimits") {
  static readonly layer: Layer.Layer<AddressLimits, never, HttpSettings> = Layer.effect(
    AddressLimits,
    Effect.map(HttpSettings, ({ authRateLimit }) =>
      Option.match(authRateLimit, { onNone: () => unlimited, onSome: (limit) => make(makeRateLimiter(limit)) })
    )
  )
}

const unlimited = AddressLimits.of({
  judge: () => Effect.succeedNone,
  noteGood: () => {},
  noteRefused: Effect.succeedNone
})

const make = (limiter: ReturnType<typeof makeRateLimiter>) => {
  // Hashes, so that no token is kept. One that collides is looked up as before; it counts no more for that.
  const known = new Set<number>()
  const address = Effect.map(HttpServerRequest.HttpServerRequest, ({ remoteAddress }) =>
    Option.map(remoteAddress, limitedAddress)
  )
  const hashOf = (token: Redacted.Redacted<string>) => Hash.string(Redacted.value(token))
  const waitOf = (verdict: { readonly isAllowed: boolean; readonly waitSeconds: number }) =>
    verdict.isAllowed ? Effect.succeedNone : Effect.as(countRefusal("address"), Option.some(verdict.waitSeconds))

  return AddressLimits.of({
    judge: Effect.fnUntraced(function* (token) {
      const from = yield* address
      if (Option.isNone(from)) return Option.none()
      const verdict = limiter.look(from.value, yield* Clock.currentTimeMillis)
      if (verdict.isAllowed || known.has(hashOf(token))) return Option.none()
      return yield* waitOf(verdict)
    }),
    noteGood: (token) => {
      const hash = hashOf(token)
      if (known.has(hash)) return
      for (const oldest of known) {
        if (known.size < maxKnown) break
        known.delete(oldest)
      }
      known.add(hash)
    },
    noteRefused: Effect.gen(function* () {
      const from = yield* address
      return Option.isNone(from) ? Option.none() : yield* Effect.flatMap(limiter.take(from.value), waitOf)
    })
  })
}
