import type { AccessEntry } from "@loopbox/adapters-http/server/edge/requestFacts"
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import * as References from "effect/References"
import * as Tracer from "effect/Tracer"
import * as Context from "effect/Context"
import type { HostConfig } from "./hostConfig.ts"
import { writeLine, writeLineSoon } from "./standardOutput.ts"

/** API keys, tokens, signatures of links and passwords in URLs, wherever they might slip into a line. */
const hidden: ReadonlyArray<readonly [mark: string, pattern: RegExp, instead: string]> = [
  ["lbx_", /\blbx_(live|test)_[0-9a-z_]+/g, "lbx_$1_<redacted>"],
  ["=", /\b((?:[a-z.]+_)?(?:sig|token|cursor|proof|user_id))=[^\s&"]+/g, "$1=<redacted>"],
  ["eyJ", /\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, "<redacted>"],
  ["://", /(:\/\/[^:/\s@]+):[^@/\s]+@/g, "$1:<redacted>@"]
]

/** A line without a pattern's mark has nothing of its kind; to look for the mark takes a tenth of the time. */
const withoutSecrets = (line: string): string =>
  hidden.reduce((text, [mark, pattern, instead]) => (text.includes(mark) ? text.replace(pattern, instead) : text), line)

interface Line {
  readonly message: string
  /** What else the call named. */
  readonly details: ReadonlyArray<unknown>
  /** What went wrong, with its causes; empty when nothing did. */
  readonly error: string
}

/** A log call's parts: texts are the message, errors and causes stand beside it. */
const toLine = (parts: ReadonlyArray<unknown>, cause: Cause.Cause<unknown>): Line => {
  const texts = parts.filter((part) => typeof part === "string")
  const causes = [
    ...parts.flatMap((part) => (Cause.isCause(part) ? [part] : part instanceof Error ? [Cause.fail(part)] : [])),
    ...(cause.reasons.length === 0 ? [] : [cause])
  ]
  return {
    message: texts.join(" "),
    details: parts.filter((part) => typeof part !== "string" && !(part instanceof Error) && !Cause.isCause(part)),
    error: causes.map((one) => Cause.pretty(one)).join("\n")
  }
}

const traceOf = (options: Logger.Options<unknown>): Readonly<Record<string, string>> =>
  Option.match(Context.getOption(options.fiber.context, Tracer.ParentSpan), {
    onNone: () => ({}),
    onSome: ({ traceId }) => ({ trace_id: traceId })
  })

const facts = (options: Logger.Options<unknown>) => {
  const { details, ...line } = toLine(Arr.ensure(options.message), options.cause)
  const about = {
    ...options.fiber.getRef(References.CurrentLogAnnotations),
    ...(details.length === 0 ? {} : { details }),
    ...traceOf(options)
  }
  return { ...line, about }
}

const shown = (value: unknown): string => (typeof value === "object" ? JSON.stringify(value) : String(value))

/** One JSON object a line: time, level, message, then what the line is about. */
const json = Logger.make<unknown, void>((options) => {
  const { about, error, message } = facts(options)
  const line = {
    timestamp: options.date.toISOString(),
    level: options.logLevel.toLowerCase(),
    message,
    ...about,
    ...(error === "" ? {} : { error })
  }
  writeLine(withoutSecrets(JSON.stringify(line)))
})

/** For people at a terminal. */
const pretty = Logger.make<unknown, void>((options) => {
  const { about, error, message } = facts(options)
  const beside = Object.entries(about).map(([name, value]) => ` ${name}=${shown(value)}`)
  const failed = error === "" ? "" : `\n  ${error.replaceAll("\n", "\n  ")}`
  const time = options.date.toISOString().slice(11, 23)
  const level = options.logLevel.toUpperCase().padEnd(5)
  writeLine(withoutSecrets(`${time} ${level} ${message}${beside.join("")}${failed}`))
})

/** Lines on standard output, as configured. */
export const layer = ({ logFormat, logLevel }: Pick<HostConfig, "logFormat" | "logLevel">): Layer.Layer<never> =>
  Layer.merge(Logger.layer([logFormat === "json" ? json : pretty]), Layer.succeed(References.MinimumLogLevel, logLevel))

/** Writes one request as a line of JSON, whatever the form of other lines: it is for machines. */
export const writeAccess = (entry: AccessEntry): void => {
  const line = {
    timestamp: DateTime.formatIso(DateTime.makeUnsafe(entry.endedAt_ms)),
    level: "info",
    message: "request",
    request_id: entry.requestId,
    method: entry.method,
    route: entry.route,
    status: entry.status,
    ms: entry.milliseconds,
    workspace_id: entry.workspaceId ?? null,
    key_id: entry.keyId ?? null
  }
  writeLineSoon(withoutSecrets(JSON.stringify(line)))
}

/** Says what is worth knowing about the configuration. */
export const logWarnings = ({ warnings }: HostConfig): Effect.Effect<void> =>
  Effect.forEach(warnings, (warning) => Effect.logWarning(warning), { discard: true })
