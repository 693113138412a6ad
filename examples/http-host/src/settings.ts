import * as Arr from "effect/Array"
import * as Duration from "effect/Duration"
import type * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import { availableParallelism } from "node:os"
import { blobSettings } from "./blobSettings.ts"
import { databaseSettings } from "./databaseSettings.ts"
import { edgeSettings } from "./edgeSettings.ts"
import { networkSettings } from "./networkSettings.ts"
import { parseSecretKeys } from "@loopbox/embedded/presets/secretKeys"
import { duration, integer, oneOf, optional, type Parse, required, secret, text, webAddress } from "./Setting.ts"

const pollEvery: Parse<Option.Option<Duration.Duration>> = (given) =>
  given === "off" ? Option.some(Option.none()) : Option.map(duration("30 seconds", "1 day")(given), Option.some)

const logLevels: Readonly<Record<string, LogLevel.LogLevel>> = {
  trace: "Trace",
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  error: "Error"
}

/** An API key as it is given out. */
export const apiKey: Parse<string> = (given) =>
  /^lbx_(?:live|test)_[\x21-\x7e]{1,500}$/.test(given) ? Option.some(given) : Option.none()

const mostAdminTokens = 5

const adminTokens: Parse<Arr.NonEmptyReadonlyArray<string>> = (given) => {
  const parts = given.split(",").map((part) => part.trim())
  const isRight = parts.length <= mostAdminTokens && parts.every((part) => /^[\x21-\x7e]{32,512}$/.test(part))
  return isRight && Arr.isArrayNonEmpty(parts) ? Option.some(parts) : Option.none()
}

/** Every environment variable that the host knows. `loopbox config` and the README show this table. */
export const settings = {
  ...databaseSettings,
  data: required(
    {
      name: "LOOPBOX_DATA",
      default: ".loopbox",
      allowed: "the path of a folder",
      description: "Data folder: embedded database, blobs, scratch files and generated secrets."
    },
    text,
    ".loopbox"
  ),
  ...blobSettings,
  host: required(
    {
      name: "LOOPBOX_HOST",
      default: "127.0.0.1",
      allowed: "a host name or an IP address",
      description: "Address to listen on; `0.0.0.0` is every IPv4 one. The flag --host wins."
    },
    text,
    "127.0.0.1"
  ),
  port: optional(
    {
      name: "LOOPBOX_PORT",
      default: "8080; a worker without it listens nowhere",
      allowed: "an integer from 0 to 65535; 0 takes any free port",
      description: "Port to listen on. The flag --port wins."
    },
    integer(0, 65_535)
  ),
  role: required(
    {
      name: "LOOPBOX_ROLE",
      default: "all",
      allowed: "all, api or worker",
      description: "What the process does: answer requests, run jobs, or both. The flag --role wins."
    },
    oneOf("all", "api", "worker"),
    "all"
  ),
  publicUrl: optional(
    {
      name: "LOOPBOX_PUBLIC_URL",
      default: "http://<host>:<port>",
      allowed: "an http or https URL without a query",
      description: "Where clients reach the host; the base of signed links."
    },
    webAddress
  ),
  adminToken: secret(
    {
      name: "LOOPBOX_ADMIN_TOKEN",
      default: "generated as <data>/admin-token; with DATABASE_URL none: the admin API is off",
      allowed: `up to ${mostAdminTokens} tokens of 32 to 512 visible ASCII characters, separated by commas`,
      description: "Token of the admin API. Any of several counts; commands use the first."
    },
    adminTokens
  ),
  console: optional(
    {
      name: "LOOPBOX_CONSOLE",
      default: "on; with DATABASE_URL off",
      allowed: "on or off",
      description:
        "Whether the console is served under /console, to whoever has a sign-in link (`loopbox console`) or the admin token."
    },
    oneOf("on", "off")
  ),
  secretKeys: secret(
    {
      name: "LOOPBOX_SECRET_KEYS",
      default: "generated as <data>/secret-keys; with DATABASE_URL it must be set",
      allowed: "a list like `2026a:<32 bytes in base64>`, separated by commas, each id once (openssl rand -base64 32)",
      description: "Keys that encrypt and sign. The first does both, all decrypt and verify."
    },
    parseSecretKeys
  ),
  networks: optional(
    {
      name: "LOOPBOX_NETWORKS",
      default: "sandbox; with DATABASE_URL live",
      allowed: "sandbox or live",
      description:
        "The real networks, or a simulator of them in this process. API keys begin with `lbx_live_` or `lbx_test_`."
    },
    oneOf("sandbox", "live")
  ),
  ...networkSettings,
  ffmpeg: optional(
    {
      name: "LOOPBOX_FFMPEG",
      default: "ffmpeg-static, else PATH, else @ffmpeg-installer/ffmpeg for trying out",
      allowed: "the path of a program",
      description: "The ffmpeg that encodes, 4.1 or newer with libx264."
    },
    text
  ),
  conversionsAtOnce: required(
    {
      name: "LOOPBOX_CONVERSIONS_AT_ONCE",
      default: "half the cores, at least 1",
      allowed: "an integer from 1 to 64",
      description: "Conversions that one process runs at a time, and as many audio overlays beside them."
    },
    integer(1, 64),
    Math.max(1, Math.floor(availableParallelism() / 2))
  ),
  processingLimit: required(
    {
      name: "LOOPBOX_PROCESSING_LIMIT",
      default: "5 minutes",
      allowed: "a duration from 1 second to 1 hour",
      description: "Longest time that one conversion or audio overlay may take."
    },
    duration("1 second", "1 hour"),
    Duration.fromInputUnsafe("5 minutes")
  ),
  lease: required(
    {
      name: "LOOPBOX_LEASE",
      default: "15 seconds",
      allowed: "a duration from 3 seconds to 10 minutes",
      description:
        "How long a worker that says nothing keeps its job or webhook; it says something three times as often."
    },
    duration("3 seconds", "10 minutes"),
    Duration.fromInputUnsafe("15 seconds")
  ),
  drain: required(
    {
      name: "LOOPBOX_DRAIN",
      default: "30 seconds",
      allowed: "a duration from 0 seconds to 10 minutes",
      description: "How long running conversions and overlays may go on after SIGTERM."
    },
    duration("0 seconds", "10 minutes"),
    Duration.fromInputUnsafe("30 seconds")
  ),
  close: required(
    {
      name: "LOOPBOX_CLOSE",
      default: "10 seconds",
      allowed: "a duration from 0 seconds to 10 minutes",
      description: "How long requests in flight may go on after SIGTERM."
    },
    duration("0 seconds", "10 minutes"),
    Duration.fromInputUnsafe("10 seconds")
  ),
  sweepEvery: required(
    {
      name: "LOOPBOX_SWEEP_EVERY",
      default: "10 minutes",
      allowed: "a duration from 1 second to 1 day",
      description: "How often expired files are looked for."
    },
    duration("1 second", "1 day"),
    Duration.fromInputUnsafe("10 minutes")
  ),
  pollEvery: required(
    {
      name: "LOOPBOX_POLL_EVERY",
      default: "5 minutes",
      allowed: "off, or a duration from 30 seconds to 1 day",
      description: "How often each account is polled for what no webhook brought. `off`: only when somebody asks."
    },
    pollEvery,
    Option.some(Duration.minutes(5))
  ),
  pollQuietFactor: required(
    {
      name: "LOOPBOX_POLL_QUIET_FACTOR",
      default: "3",
      allowed: "an integer from 1 to 288",
      description:
        "How many times less often an account is polled at most that has been quiet for long; 1: as often as the others."
    },
    integer(1, 288),
    3
  ),
  feedMemory_mb: required(
    {
      name: "LOOPBOX_FEED_MEMORY_MB",
      default: "64",
      allowed: "an integer from 1 to 4096",
      description: "Recent events that a process keeps for its WebSockets, of all workspaces together."
    },
    integer(1, 4_096),
    64
  ),
  confirmBackfillAbove: required(
    {
      name: "LOOPBOX_X_BACKFILL_CONFIRM_ABOVE",
      default: "100",
      allowed: "an integer from 0 to 1000000",
      description: "A backfill of X that may read more posts than this is asked about first: X charges for each."
    },
    integer(0, 1_000_000),
    100
  ),
  ...edgeSettings,
  testClock: required(
    {
      name: "LOOPBOX_TEST_CLOCK",
      default: "off",
      allowed: "on or off",
      description: "Lets POST /v1/admin/test/clock move the clock. Refused with NODE_ENV=production."
    },
    oneOf("on", "off"),
    "off"
  ),
  logLevel: required(
    {
      name: "LOOPBOX_LOG_LEVEL",
      default: "info",
      allowed: "trace, debug, info, warn or error",
      description: "The least important lines that are logged."
    },
    (given) => Option.fromUndefinedOr(logLevels[given]),
    "Info"
  ),
  logFormat: optional(
    {
      name: "LOOPBOX_LOG_FORMAT",
      default: "pretty on a terminal, else json",
      allowed: "pretty or json",
      description: "How lines are logged."
    },
    oneOf("pretty", "json")
  ),
  otlpEndpoint: optional(
    {
      name: "OTEL_EXPORTER_OTLP_ENDPOINT",
      default: "none",
      allowed: "an http or https URL without a query",
      description: "OpenTelemetry collector that gets traces and metrics (OTLP over HTTP, JSON)."
    },
    webAddress
  ),
  url: optional(
    {
      name: "LOOPBOX_URL",
      default: "the host that serves the data folder",
      allowed: "an http or https URL without a query",
      description:
        "The host that convert, inbox, workspace, member, key, managed-user, account and token commands talk to."
    },
    webAddress
  ),
  apiKey: secret(
    {
      name: "LOOPBOX_API_KEY",
      default: "<data>/demo-key, for the host that serves the data folder",
      allowed: "an API key of a workspace: lbx_live_… or lbx_test_…",
      description: "The workspace's key that convert, inbox and account commands use."
    },
    apiKey
  ),
  nodeEnv: optional(
    {
      name: "NODE_ENV",
      default: "none",
      allowed: "any text",
      description: "`production` refuses the test clock and the ffmpeg that is only for trying out."
    },
    text
  )
}
