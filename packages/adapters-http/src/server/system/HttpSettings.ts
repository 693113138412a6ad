import type { HealthCheck } from "@loopbox/core/kernel/HealthCheck"
import type { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Ref from "effect/Ref"
import type * as IpNetwork from "effect/net/IpNetwork"
import type { ConsoleOptions } from "../console/ConsoleOptions.ts"
import type { AccessEntry } from "../edge/requestFacts.ts"
import { type BodyOptions, makeRequestBodies, type RequestBodies } from "../edge/RequestBodies.ts"

/** Requests of one key in this process: `burst` at once, and `perSecond` in the long run. */
export interface RateLimit {
  readonly perSecond: number
  readonly burst: number
}

/** Bounds of WebSockets; what is left out is said beside it. */
export interface SocketOptions {
  /** Between two pings: 30 seconds. */
  readonly heartbeat?: Duration.Input | undefined
  /** For the answer to a ping: 10 seconds. */
  readonly pongTimeout?: Duration.Input | undefined
  /** Between two looks at what a socket may still see: 45 seconds, at least every minute. */
  readonly judgeEvery?: Duration.Input | undefined
  /** For a full queue to be half empty, before its client counts as too slow: 2 seconds. */
  readonly patience?: Duration.Input | undefined
  /** Bytes that wait in the server for one client: 256 KiB. */
  readonly maxQueuedBytes?: number | undefined
  /** Frames likewise: 1,000. */
  readonly maxQueuedFrames?: number | undefined
  /** Bytes that wait for all of them: 256 MiB. */
  readonly maxTotalBytes?: number | undefined
  /** Sockets of this process: 40,000. */
  readonly maxSockets?: number | undefined
  /** Of them of one workspace: 20,000. */
  readonly maxPerWorkspace?: number | undefined
  /** Of one key, or one dashboard user: 10,000. */
  readonly maxPerCaller?: number | undefined
  /** Over which time they are closed when the process stops: 5 seconds; five milliseconds each where they are few. */
  readonly closeWithin?: Duration.Input | undefined
}

/** The same with defaults filled in. */
export interface SocketLimits {
  readonly heartbeat: Duration.Duration
  readonly pongTimeout: Duration.Duration
  readonly judgeEvery: Duration.Duration
  readonly patience: Duration.Duration
  readonly maxQueuedBytes: number
  readonly maxQueuedFrames: number
  readonly maxTotalBytes: number
  readonly maxSockets: number
  readonly maxPerWorkspace: number
  readonly maxPerCaller: number
  readonly closeWithin: Duration.Duration
}

export const toSocketLimits = (options: SocketOptions = {}): SocketLimits => ({
  heartbeat: Duration.fromInputUnsafe(options.heartbeat ?? "30 seconds"),
  pongTimeout: Duration.fromInputUnsafe(options.pongTimeout ?? "10 seconds"),
  judgeEvery: Duration.fromInputUnsafe(options.judgeEvery ?? "45 seconds"),
  patience: Duration.fromInputUnsafe(options.patience ?? "2 seconds"),
  maxQueuedBytes: options.maxQueuedBytes ?? 256 * 1024,
  maxQueuedFrames: options.maxQueuedFrames ?? 1_000,
  maxTotalBytes: options.maxTotalBytes ?? 256 * 1024 * 1024,
  maxSockets: options.maxSockets ?? 40_000,
  maxPerWorkspace: options.maxPerWorkspace ?? 20_000,
  maxPerCaller: options.maxPerCaller ?? 10_000,
  closeWithin: Duration.fromInputUnsafe(options.closeWithin ?? "5 seconds")
})

/** Whose clients are served as they are, beside our own. */
export type Compatibility = "unipost"

/** What a host decides about its HTTP API. */
export interface HttpOptions {
  /** Base of signed URLs; an effect where it is known only once the port is bound. */
  readonly publicUrl: string | Effect.Effect<string>
  /** At least 32 secret bytes, the same in all processes: signs links and cursors. */
  readonly signingKey: Redacted.Redacted<Uint8Array>
  /** Keys that signed before; what they signed is still taken. */
  readonly olderSigningKeys?: ReadonlyArray<Redacted.Redacted<Uint8Array>> | undefined
  /** Without one every admin route is 404. */
  readonly adminToken?: Redacted.Redacted<string> | undefined
  /** Admin tokens that count beside it, while one is being replaced. */
  readonly olderAdminTokens?: ReadonlyArray<Redacted.Redacted<string>> | undefined
  /** 100 a second, burst 200, unless said otherwise. */
  readonly rateLimit?: RateLimit | "off" | undefined
  /** Refused credentials of one address: 50 a second, burst 500, unless said otherwise. */
  readonly authRateLimit?: RateLimit | "off" | undefined
  /** Proxies whose `X-Forwarded-For` is believed; none unless said otherwise. */
  readonly trustedProxies?: ReadonlyArray<IpNetwork.IpNetwork> | undefined
  /** Whether what operators ask comes in by a port of its own, noted in `OperationsRequests`; it does not unless said otherwise. */
  readonly hasOperationsPort?: boolean | undefined
  /** Hears of each request when it has ended. */
  readonly accessLog?: ((entry: AccessEntry) => void) | undefined
  /** Origins whose pages may call, for instance `https://app.example`; none unless said otherwise. */
  readonly corsOrigins?: ReadonlyArray<string> | undefined
  /** The console in a browser; none unless given. */
  readonly console?: ConsoleOptions | undefined
  /** Serves the clients of another product as they are, too: `docs/coming-from-unipost.md`. */
  readonly compatibility?: Compatibility | undefined
  /** What `/readyz` asks. */
  readonly healthChecks?: ReadonlyArray<HealthCheck> | undefined
  /** How long one of them may take: 5 seconds unless said otherwise. */
  readonly healthTimeout?: Duration.Input | undefined
  /** Bounds of request bodies that are held in memory. */
  readonly bodies?: BodyOptions | undefined
  /** How long after the stop began requests are taken as before, while load balancers learn of it: not at all unless said otherwise. */
  readonly pause?: Duration.Input | undefined
  /** How long requests in hand may go on after that: 30 seconds unless said otherwise. */
  readonly drain?: Duration.Input | undefined
  /** Bounds of `GET /v1/inbox/ws`. */
  readonly sockets?: SocketOptions | undefined
  /** Moves the test clock and answers the new time; without it `POST /v1/admin/test/clock` is 404. */
  readonly advanceClock?: ((by: Duration.Duration) => Effect.Effect<DateTime.Utc, StoreUnavailable>) | undefined
}

/** The host's decisions with defaults filled in, and whether the process is stopping. */
export class HttpSettings extends Context.Service<
  HttpSettings,
  {
    readonly publicUrl: Effect.Effect<string>
    /** The first signs, all verify. */
    readonly signingKeys: Arr.NonEmptyReadonlyArray<Redacted.Redacted<Uint8Array>>
    /** Any of them counts; with none the admin routes are 404. */
    readonly adminTokens: ReadonlyArray<Redacted.Redacted<string>>
    readonly rateLimit: Option.Option<RateLimit>
    readonly authRateLimit: Option.Option<RateLimit>
    readonly trustedProxies: ReadonlyArray<IpNetwork.IpNetwork>
    readonly hasOperationsPort: boolean
    readonly accessLog: Option.Option<(entry: AccessEntry) => void>
    readonly pause: Duration.Duration
    readonly drain: Duration.Duration
    readonly corsOrigins: ReadonlySet<string>
    readonly console: Option.Option<ConsoleOptions>
    readonly compatibility: Option.Option<Compatibility>
    readonly healthChecks: ReadonlyArray<HealthCheck>
    readonly healthTimeout: Duration.Duration
    readonly bodies: RequestBodies
    readonly sockets: SocketLimits
    readonly advanceClock: Option.Option<(by: Duration.Duration) => Effect.Effect<DateTime.Utc, StoreUnavailable>>
    /** Set when the server stops: `/readyz` then fails, and responses close their connections. */
    readonly draining: Ref.Ref<boolean>
    /** Set when a mount takes no more requests: they are answered 503. A server of its own takes no more connections instead. */
    readonly ended: Ref.Ref<boolean>
  }
>()("@loopbox/adapters-http/server/system/HttpSettings") {
  static readonly layer = (options: HttpOptions): Layer.Layer<HttpSettings> => Layer.effect(HttpSettings, make(options))
}

const defaultRateLimit: RateLimit = { perSecond: 100, burst: 200 }
const defaultAuthRateLimit: RateLimit = { perSecond: 50, burst: 500 }

const make = Effect.fnUntraced(function* (options: HttpOptions) {
  const signingKeys = Arr.prepend(options.olderSigningKeys ?? [], options.signingKey)
  for (const key of signingKeys) {
    const { length } = Redacted.value(key)
    if (length < 32) return yield* Effect.die(new Error(`a signing key has ${length} bytes; it needs at least 32`))
  }
  const { authRateLimit = defaultAuthRateLimit, publicUrl, rateLimit = defaultRateLimit } = options
  const url = typeof publicUrl === "string" ? Effect.succeed(publicUrl) : publicUrl
  return HttpSettings.of({
    publicUrl: Effect.map(url, (base) => base.replace(/\/+$/, "")),
    signingKeys,
    adminTokens: options.adminToken === undefined ? [] : [options.adminToken, ...(options.olderAdminTokens ?? [])],
    rateLimit: rateLimit === "off" ? Option.none() : Option.some(rateLimit),
    authRateLimit: authRateLimit === "off" ? Option.none() : Option.some(authRateLimit),
    trustedProxies: options.trustedProxies ?? [],
    hasOperationsPort: options.hasOperationsPort ?? false,
    accessLog: Option.fromUndefinedOr(options.accessLog),
    pause: Duration.fromInputUnsafe(options.pause ?? 0),
    drain: Duration.fromInputUnsafe(options.drain ?? "30 seconds"),
    corsOrigins: new Set(options.corsOrigins),
    console: Option.fromUndefinedOr(options.console),
    compatibility: Option.fromUndefinedOr(options.compatibility),
    healthChecks: options.healthChecks ?? [],
    healthTimeout: Duration.fromInputUnsafe(options.healthTimeout ?? "5 seconds"),
    bodies: makeRequestBodies(options.bodies),
    sockets: toSocketLimits(options.sockets),
    advanceClock: Option.fromUndefinedOr(options.advanceClock),
    draining: yield* Ref.make(false),
    ended: yield* Ref.make(false)
  })
})
