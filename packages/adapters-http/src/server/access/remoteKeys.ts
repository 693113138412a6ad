import { IdentityUnavailable } from "@loopbox/core/access/AccessErrors"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from "jose"

/** While the provider is away, keys that were good are good for so long. */
const keptFor_ms = 60 * 60 * 1_000

/** Characters of a key set, at most. */
const maxLength = 1024 * 1024

const isKeySet = (value: unknown): value is JSONWebKeySet =>
  Predicate.hasProperty(value, "keys") && Array.isArray(value.keys) && value.keys.every(Predicate.isObject)

interface KnownKeys {
  readonly find: JWTVerifyGetKey
  readonly readAt_ms: number
}

const read = async (url: string, signal: AbortSignal): Promise<JWTVerifyGetKey> => {
  const response = await fetch(url, { signal, redirect: "error", headers: { accept: "application/json" } })
  const text = await response.text()
  const keys: unknown = response.ok && text.length <= maxLength ? JSON.parse(text) : undefined
  return isKeySet(keys) ? createLocalJWKSet(keys) : Promise.reject(new Error(`${response.status}: no set of keys`))
}

/** The keys of an identity provider, looked at now and then, and at once when a token names one that is not known. */
export const makeRemoteKeys = Effect.fnUntraced(function* (options: {
  readonly url: string
  readonly timeout: Duration.Duration
  readonly refreshEvery: Duration.Duration
  readonly spacing: Duration.Duration
}) {
  const scope = yield* Effect.scope
  const spacing_ms = Duration.toMillis(options.spacing)
  const refreshEvery_ms = Duration.toMillis(options.refreshEvery)
  let known: KnownKeys | undefined
  let triedAt_ms = Number.NEGATIVE_INFINITY
  let running: Deferred.Deferred<KnownKeys, IdentityUnavailable> | undefined

  const load = Effect.gen(function* () {
    const wait_ms = triedAt_ms + spacing_ms - (yield* Clock.currentTimeMillis)
    if (wait_ms > 0) yield* Effect.sleep(Math.min(wait_ms, spacing_ms))
    triedAt_ms = yield* Clock.currentTimeMillis
    const find = yield* Effect.tryPromise({
      try: (signal) => read(options.url, signal),
      catch: (cause) => new IdentityUnavailable({ cause })
    }).pipe(
      Effect.timeoutOrElse({
        duration: options.timeout,
        orElse: () => Effect.fail(new IdentityUnavailable({ cause: new Error("the key set did not come in time") }))
      })
    )
    known = { find, readAt_ms: yield* Clock.currentTimeMillis }
    return known
  })

  /** One look at a time; who asks meanwhile gets what it finds. */
  const refresh = Effect.suspend(() => {
    if (running !== undefined) return Deferred.await(running)
    const found = Deferred.makeUnsafe<KnownKeys, IdentityUnavailable>()
    running = found
    return load.pipe(
      Effect.onExit((exit) =>
        Effect.suspend(() => {
          running = undefined
          return Deferred.done(found, exit)
        })
      ),
      Effect.ignore,
      Effect.forkIn(scope),
      Effect.andThen(Deferred.await(found))
    )
  })

  const current = Effect.gen(function* () {
    if (known === undefined) return yield* refresh
    const age_ms = (yield* Clock.currentTimeMillis) - known.readAt_ms
    if (age_ms >= keptFor_ms) return yield* refresh
    if (age_ms >= refreshEvery_ms) yield* refresh.pipe(Effect.ignore, Effect.forkIn(scope))
    return known
  })

  return { current, refresh }
})
