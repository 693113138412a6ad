import { isSecureUrl } from "@loopbox/adapters-http/server/access/secureUrl"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import { existsSync } from "node:fs"
import { isRecord, type Judge, membersOf, must, text, texts } from "../judging/Judge.ts"
import type { LoopboxOptions } from "./LoopboxOptions.ts"

const app = { id: text, secrets: texts }
const anApp = "an app of yours, as { id, secrets }"

const judgeLive = membersOf(
  {
    meta: membersOf({ ...app, verifyToken: text, apiVersion: text }, anApp),
    instagram: membersOf(app, anApp),
    threads: membersOf({ ...app, verifyToken: text }, anApp),
    x: membersOf({ clientId: text, clientSecret: text, consumerSecrets: texts, bearerToken: text }, "an app of yours"),
    baseUrls: membersOf({ instagram: text, facebook: text, threads: text, x: text }, "addresses by network")
  },
  '"none", "sandbox", "live", or { meta, instagram, threads, x } with your apps'
)

const modes: ReadonlyArray<unknown> = ["none", "sandbox", "live"]

const judgeNetworks: Judge = (given, name) => (modes.includes(given) ? [] : judgeLive(given, name))

/** Whether a browser may send it as `Origin`. */
const isOrigin = (given: unknown): boolean => {
  if (!Predicate.isString(given) || !URL.canParse(given) || given.includes("*")) return false
  const { origin, protocol } = new URL(given)
  return /^https?:$/.test(protocol) && origin === given
}

const isCount = (given: unknown): boolean => Predicate.isNumber(given) && Number.isInteger(given) && given > 0

const judgeRate: Judge = (given, name) =>
  given === "off" || (isRecord(given) && isCount(given["perSecond"]) && isCount(given["burst"]))
    ? []
    : [`${name} must be "off", or { perSecond, burst }, both whole numbers from 1 on`]

const judgeProvider = membersOf(
  {
    url: must((url) => Predicate.isString(url) && isSecureUrl(url), "be https, or http on the loopback"),
    issuer: text,
    audience: text,
    workspaceClaim: text
  },
  "{ url, issuer, audience }"
)

const judgeIdentity: Judge = (given, name) => {
  if (Predicate.isFunction(given)) return []
  const isWhole = isRecord(given) && ["url", "issuer", "audience"].every((member) => Predicate.isString(given[member]))
  return isWhole ? judgeProvider(given, name) : [`${name} must be an async function, or { url, issuer, audience }`]
}

const isProgram = (given: unknown): boolean =>
  Predicate.isBoolean(given) ||
  // One without a folder is looked for in PATH, when it is started.
  (Predicate.isString(given) && given !== "" && (!/[/\\]/.test(given) || existsSync(given)))

/** Of what a duration may be written as; whether it is one says `fromInput`. */
const mayBeDuration = (given: unknown): given is Duration.Input =>
  Predicate.isString(given) || Predicate.isNumber(given) || Duration.isDuration(given)

const isWait = (given: unknown): boolean =>
  mayBeDuration(given) &&
  Option.exists(Duration.fromInput(given), (wait) => Duration.isFinite(wait) && Duration.toMillis(wait) > 0)

const wait = must(isWait, 'be a time above 0, as "10 seconds", or a number of milliseconds')

/** What each option must be; what of a right kind cannot work is judged elsewhere. */
const judges: Readonly<Record<keyof LoopboxOptions, Judge>> = {
  databaseUrl: text,
  listenerUrl: text,
  data: must((given) => Predicate.isString(given) && given !== "", "be a folder"),
  secretKeys: text,
  publicUrl: text,
  blobs: must(
    (given) => (Predicate.isString(given) && given !== "") || Predicate.isObject(given),
    "be a folder, s3://bucket, or a store of your own, { put, get, size, remove, list }"
  ),
  ffmpeg: must(isProgram, "be the path of a program that is there, or true or false"),
  networks: judgeNetworks,
  identity: judgeIdentity,
  plans: must(isRecord, 'be lists of sources by plan, as { free: ["ig_comment"] }'),
  workers: must(Predicate.isBoolean, "be true or false"),
  api: membersOf(
    {
      adminToken: must(
        (given) => Predicate.isString(given) && /^[\x21-\x7e]{32,512}$/.test(given),
        "have 32 to 512 printable characters and no space"
      ),
      corsOrigins: must(
        (given) => Array.isArray(given) && given.every(isOrigin),
        "be a list of origins like https://app.example, without a path and a wildcard"
      ),
      rateLimit: judgeRate
    },
    "{ adminToken, corsOrigins, rateLimit }"
  ),
  timeouts: membersOf({ identity: wait, blobs: wait }, "{ identity, blobs }")
}

const isOption = (name: string): name is keyof LoopboxOptions => Object.hasOwn(judges, name)

/** What is wrong with the kinds of options. */
export interface KindFaults {
  readonly problems: ReadonlyArray<string>
  /** Options that have a right kind. */
  readonly right: LoopboxOptions
}

/**
 * Options that are none, and values of a kind that an option does not take. One that is `undefined`, as of an environment
 * variable that is not set, is refused: it must not put a customer's data into the memory.
 */
export const judgeKinds = (options: LoopboxOptions): KindFaults => {
  if (!isRecord(options)) {
    return { problems: ["it takes an object of options, as { databaseUrl, secretKeys, blobs }, or layers"], right: {} }
  }
  const right: { -readonly [Name in keyof LoopboxOptions]: LoopboxOptions[Name] } = { ...options }
  const problems: Array<string> = []
  for (const [name, given] of Object.entries(options)) {
    if (!isOption(name)) {
      problems.push(`${name} is no option: they are ${Object.keys(judges).join(", ")}`)
      continue
    }
    const found =
      given === undefined
        ? [`${name} is undefined: set what it is read from, or leave the option out`]
        : judges[name](given, name)
    if (found.length > 0) delete right[name]
    problems.push(...found)
  }
  return { problems, right }
}
