import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { Digest, sha256 } from "effect/crypto/Digest"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Base64Url from "effect/encoding/Base64Url"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import { type ConsoleGrant, ConsoleSessionStore } from "./ConsoleSessionStore.ts"

/** A session that has just begun. */
export interface OpenedConsole {
  /** What the browser keeps. */
  readonly token: Redacted.Redacted<string>
  readonly expiresAt: DateTime.Utc
}

/** How long a link can be used. */
export const consoleTicketMinutes = 10

/** How long a session lasts. */
export const consoleSessionHours = 12

const secretBytes = 32

const encoder = new TextEncoder()

/** Driving service: who may see the console. Whoever may is the operator (console.md §3). */
export class ConsoleSessions extends Context.Service<
  ConsoleSessions,
  {
    /** A secret for a link that signs in once, within 10 minutes. */
    readonly issueTicket: Effect.Effect<Redacted.Redacted<string>, StoreUnavailable>
    /** Begins a session by a link's secret; absent where it was used, has expired, or is none. */
    readonly redeem: (
      ticket: Redacted.Redacted<string>
    ) => Effect.Effect<Option.Option<OpenedConsole>, StoreUnavailable>
    /** Begins a session of somebody who gave the admin token, which the caller has judged. */
    readonly open: Effect.Effect<OpenedConsole, StoreUnavailable>
    /** When a session ends; absent where there is none by this token, or not any more. */
    readonly find: (token: Redacted.Redacted<string>) => Effect.Effect<Option.Option<DateTime.Utc>, StoreUnavailable>
    /** Ends a session; of one that is not there, nothing. */
    readonly close: (token: Redacted.Redacted<string>) => Effect.Effect<void, StoreUnavailable>
  }
>()("@loopbox/core/access/ConsoleSessions") {
  /** Grants go back to this admin token: a new one ends them all. */
  static readonly layer = (
    adminToken: Redacted.Redacted<string>
  ): Layer.Layer<ConsoleSessions, never, ConsoleSessionStore | Digest | SecureRandom> =>
    Layer.effect(ConsoleSessions, make(adminToken))
}

const make = Effect.fnUntraced(function* (adminToken: Redacted.Redacted<string>) {
  const store = yield* ConsoleSessionStore
  const digest = yield* Digest
  const random = yield* SecureRandom
  const digestOf = (secret: Redacted.Redacted<string>) =>
    digest.digestHex(sha256, encoder.encode(Redacted.value(secret)))
  const epoch = yield* digest.digestHex(sha256, encoder.encode(`console ${Redacted.value(adminToken)}`))

  const grant = Effect.fnUntraced(function* (
    kind: ConsoleGrant["kind"],
    lifetime: { minutes?: number; hours?: number }
  ) {
    const now = yield* DateTime.now
    const token = Redacted.make(Base64Url.encode(yield* random.randomBytes(secretBytes)))
    const expiresAt = DateTime.add(now, lifetime)
    yield* store.add({ digest: yield* digestOf(token), kind, epoch, expiresAt }, now)
    return { token, expiresAt }
  })

  const isGood = Effect.fnUntraced(function* (found: ConsoleGrant) {
    return found.epoch === epoch && DateTime.isGreaterThan(found.expiresAt, yield* DateTime.now)
  })

  const open = grant("session", { hours: consoleSessionHours })

  const redeem = Effect.fn("ConsoleSessions.redeem")(function* (ticket: Redacted.Redacted<string>) {
    const taken = yield* store.take(yield* digestOf(ticket))
    if (Option.isNone(taken) || !(yield* isGood(taken.value))) return Option.none()
    return Option.some(yield* open)
  })

  const find = Effect.fn("ConsoleSessions.find")(function* (token: Redacted.Redacted<string>) {
    const found = yield* store.findSession(yield* digestOf(token))
    if (Option.isNone(found) || !(yield* isGood(found.value))) return Option.none()
    return Option.some(found.value.expiresAt)
  })

  return ConsoleSessions.of({
    issueTicket: Effect.map(grant("ticket", { minutes: consoleTicketMinutes }), ({ token }) => token),
    redeem,
    open,
    find,
    close: (token) => Effect.flatMap(digestOf(token), store.removeSession)
  })
})

/**
 * Whether a console's session stands, for the sockets that it opened and the requests that it makes. Nobody's does unless
 * the host has a console.
 */
export const ConsoleIdentity = Context.Reference<{
  readonly stands: (token: Redacted.Redacted<string>) => Effect.Effect<boolean, StoreUnavailable>
}>("@loopbox/core/access/ConsoleIdentity", { defaultValue: () => ({ stands: () => Effect.succeed(false) }) })

/** The console's sessions as what callers are identified by. */
export const layerConsoleIdentity: Layer.Layer<never, never, ConsoleSessions> = Layer.effect(
  ConsoleIdentity,
  Effect.map(ConsoleSessions, ({ find }) => ({ stands: (token) => Effect.map(find(token), Option.isSome) }))
)
