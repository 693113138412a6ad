import * as Config from "effect/Config"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as IpNetwork from "effect/net/IpNetwork"
import { duration, integer, oneOf, optional, type Parse, required } from "./Setting.ts"

/** Requests of somebody: `perSecond` in the long run, `burst` at once. */
export interface RateLimit {
  readonly perSecond: number
  readonly burst: number
}

const rateLimit: Parse<Option.Option<RateLimit>> = (given) => {
  if (given === "off") return Option.some(Option.none())
  const [, rate, burst] = /^([1-9][0-9]{0,5})(?: a second)?(?:(?:\/|, burst )([1-9][0-9]{0,5}))?$/.exec(given) ?? []
  if (rate === undefined) return Option.none()
  const perSecond = Number(rate)
  return Option.some(Option.some({ perSecond, burst: burst === undefined ? 2 * perSecond : Number(burst) }))
}

/** Members of a list, each by its own rule; none when one of them is not allowed. */
const listOf =
  <A>(most: number, parse: Parse<A>): Parse<ReadonlyArray<A>> =>
  (given) => {
    const parts = given.split(",").map((part) => part.trim())
    return parts.length > most ? Option.none() : Option.all(parts.map(parse))
  }

const origin: Parse<string> = (given) =>
  Result.try(() => new URL(given)).pipe(
    Result.getSuccess,
    // A browser compares the whole origin: one with a wildcard would be no page's.
    Option.filter((url) => /^https?:$/.test(url.protocol) && url.origin === given && !url.hostname.includes("*")),
    Option.map((url) => url.origin)
  )

const network: Parse<IpNetwork.IpNetwork> = (given) =>
  Result.getSuccess(IpNetwork.fromString(given.includes("/") ? given : `${given}/${given.includes(":") ? 128 : 32}`))

const count = (name: string, most: number, value: number, description: string) =>
  required(
    { name, default: String(value), allowed: `an integer from 1 to ${most}`, description },
    integer(1, most),
    value
  )

/** What the ports take, of whom, and how much. */
export const edgeSettings = {
  rateLimit: required(
    {
      name: "LOOPBOX_RATE_LIMIT",
      default: "100/200",
      allowed: "off, or requests a second and how many at once, like 100/200",
      description: "Requests of one API key that one process answers."
    },
    rateLimit,
    Option.some({ perSecond: 100, burst: 200 })
  ),
  authRateLimit: required(
    {
      name: "LOOPBOX_AUTH_RATE_LIMIT",
      default: "50/500",
      allowed: "off, or refusals a second and how many at once, like 50/500",
      description:
        "Refused credentials (401) of one address before it is answered 429. Keys that counted lately go on from there."
    },
    rateLimit,
    Option.some({ perSecond: 50, burst: 500 })
  ),
  trustedProxies: required(
    {
      name: "LOOPBOX_TRUSTED_PROXIES",
      default: "none",
      allowed: "up to 100 IP addresses or networks like 10.0.0.0/8, separated by commas",
      description:
        "Proxies whose `X-Forwarded-For` names the client. Without it all that comes by a proxy has its address."
    },
    listOf(100, network),
    []
  ),
  corsOrigins: required(
    {
      name: "LOOPBOX_CORS_ORIGINS",
      default: "none",
      allowed: "up to 100 origins like https://app.example or http://localhost:3000, separated by commas",
      description: "Web pages that may call the API with a dashboard token; not the admin API, nor webhooks."
    },
    listOf(100, origin),
    []
  ),
  compatibility: optional(
    {
      name: "LOOPBOX_COMPATIBILITY",
      default: "none",
      allowed: "unipost",
      description: "Serves the published clients of UniPost as they are, too; see `docs/coming-from-unipost.md`."
    },
    oneOf("unipost")
  ),
  webhooksPrivate: optional(
    {
      name: "LOOPBOX_WEBHOOKS_PRIVATE",
      default: "on with sandbox networks, else off",
      allowed: "on or off",
      description:
        "Whether webhook endpoints may have http and private addresses, which whoever has a key can then make this host call."
    },
    oneOf("on", "off")
  ),
  opsPort: optional(
    {
      name: "LOOPBOX_OPS_PORT",
      default: "none: on the main port",
      allowed: "an integer from 0 to 65535; 0 takes any free port",
      description: "Port of `/metrics`, `/readyz`, `/v1/admin` and `/console`, which then are 404 on the main one."
    },
    integer(0, 65_535)
  ),
  maxConnections: required(
    {
      name: "LOOPBOX_MAX_CONNECTIONS",
      default: "50000",
      allowed: "an integer from 100 to 1000000",
      description: "Connections of one process, WebSockets included; more are closed as they come."
    },
    integer(100, 1_000_000),
    50_000
  ),
  maxSockets: count("LOOPBOX_MAX_SOCKETS", 1_000_000, 40_000, "WebSockets of one process; more are answered 503."),
  maxSocketsPerWorkspace: count(
    "LOOPBOX_MAX_SOCKETS_PER_WORKSPACE",
    1_000_000,
    20_000,
    "WebSockets of one workspace that one process holds; more are answered 429."
  ),
  maxSocketsPerKey: count(
    "LOOPBOX_MAX_SOCKETS_PER_KEY",
    1_000_000,
    10_000,
    "WebSockets of one API key, or of one dashboard user, that one process holds; more are answered 429."
  ),
  bodyMemory: required(
    {
      name: "LOOPBOX_BODY_MEMORY",
      default: "32",
      allowed: "an integer from 8 to 65536, in MiB",
      description:
        "Memory for request bodies that are coming (JSON, webhooks). Above it the one that has been coming longest is answered 503."
    },
    integer(8, 65_536),
    32
  ),
  stopPause: optional(
    {
      name: "LOOPBOX_STOP_PAUSE",
      default: "2 seconds; without DATABASE_URL 0 seconds",
      allowed: "a duration from 0 seconds to 5 minutes",
      description: "How long requests are taken as before after SIGTERM, while `/readyz` says that the end is near."
    },
    duration("0 seconds", "5 minutes")
  ),
  accessLog: optional(
    {
      name: "LOOPBOX_ACCESS_LOG",
      default: "on; off where lines are for people (LOOPBOX_LOG_FORMAT)",
      allowed: "on or off",
      description: "Whether each request is a line of JSON on standard output."
    },
    oneOf("on", "off")
  )
}

/** What is decided about the ports. */
export interface EdgeConfig {
  readonly rateLimit: Option.Option<RateLimit>
  readonly authRateLimit: Option.Option<RateLimit>
  readonly trustedProxies: ReadonlyArray<IpNetwork.IpNetwork>
  readonly corsOrigins: ReadonlyArray<string>
  readonly compatibility: Option.Option<"unipost">
  /** Absent: where the networks are simulated. */
  readonly webhooksPrivate: Option.Option<"on" | "off">
  readonly opsPort: Option.Option<number>
  readonly maxConnections: number
  readonly maxSockets: number
  readonly maxSocketsPerWorkspace: number
  readonly maxSocketsPerKey: number
  /** In MiB. */
  readonly bodyMemory: number
  /** Absent: as long as a load balancer needs where there may be one. */
  readonly stopPause: Option.Option<Duration.Duration>
  /** Absent: by the form of the log. */
  readonly accessLog: Option.Option<"on" | "off">
}

export const edgeConfig: Config.Config<EdgeConfig> = Config.all({
  rateLimit: edgeSettings.rateLimit.config,
  authRateLimit: edgeSettings.authRateLimit.config,
  trustedProxies: edgeSettings.trustedProxies.config,
  corsOrigins: edgeSettings.corsOrigins.config,
  compatibility: edgeSettings.compatibility.config,
  webhooksPrivate: edgeSettings.webhooksPrivate.config,
  opsPort: edgeSettings.opsPort.config,
  maxConnections: edgeSettings.maxConnections.config,
  maxSockets: edgeSettings.maxSockets.config,
  maxSocketsPerWorkspace: edgeSettings.maxSocketsPerWorkspace.config,
  maxSocketsPerKey: edgeSettings.maxSocketsPerKey.config,
  bodyMemory: edgeSettings.bodyMemory.config,
  stopPause: edgeSettings.stopPause.config,
  accessLog: edgeSettings.accessLog.config
})

/** How long a stop pauses: with a server of one's own there may be a load balancer. */
export const pauseOf = ({ stopPause }: EdgeConfig, isConfigured: boolean): Duration.Duration =>
  Option.getOrElse(stopPause, () => (isConfigured ? Duration.seconds(2) : Duration.zero))

/** Whether each request is a line. */
export const hasAccessLog = (config: { readonly edge: EdgeConfig; readonly logFormat: "pretty" | "json" }): boolean =>
  Option.getOrElse(config.edge.accessLog, () => (config.logFormat === "json" ? "on" : "off")) === "on"
