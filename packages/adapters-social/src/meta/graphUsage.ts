import type { RateLimited } from "@loopbox/core/networks/ConnectorErrors"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { parseJson } from "../payloads/parseJson.ts"
import { asArray, OptionalAmount, OptionalName, reader } from "../payloads/payload.ts"
import { inMinutes } from "../calls/retryAt.ts"
import type { Usage } from "../calls/Usage.ts"

const shares = { call_count: OptionalAmount, total_time: OptionalAmount, total_cputime: OptionalAmount }

const readShares = reader(Schema.Struct(shares))
const readUse = reader(
  Schema.Struct({ ...shares, type: OptionalName, estimated_time_to_regain_access: OptionalAmount })
)
type Use = Extract<ReturnType<typeof readUse>, { readonly _tag: "Success" }>["success"]

/** Percentages are of a rolling hour; so long one is believed before a call is spent on learning it anew. */
const believed_minutes = 5

const jsonOf = (header: string | undefined): unknown => {
  const parsed = header === undefined ? undefined : parseJson(new TextEncoder().encode(header))
  return parsed !== undefined && Result.isSuccess(parsed) ? parsed.success : undefined
}

/** `X-Business-Use-Case-Usage`: what is used of each kind, for each account that it names. */
const usesOf = (header: string | undefined): ReadonlyArray<Use> => {
  const accounts = jsonOf(header)
  return Predicate.isObject(accounts)
    ? Object.values(accounts)
        .flatMap(asArray)
        .flatMap((use) => {
          const read = readUse(use)
          return Result.isSuccess(read) ? [read.success] : []
        })
    : []
}

const mostMinutes = (uses: ReadonlyArray<Use>): number =>
  Math.max(0, ...uses.flatMap((use) => Option.toArray(use.estimated_time_to_regain_access)))

/** When Meta says that access comes back: the longest wait of all accounts and kinds in the header. */
export const regainAt = (header: string | undefined, now: DateTime.Utc): Option.Option<DateTime.Utc> => {
  const minutes = mostMinutes(usesOf(header))
  return minutes === 0 ? Option.none() : Option.some(inMinutes(minutes, now))
}

/** Calls of the Graph API that Meta counts apart: lists of conversations, what else is of messages, all others. */
export type GraphEndpoint = "conversations" | "messages" | "content"

const percentsOf = (uses: ReadonlyArray<Pick<Use, "call_count" | "total_time" | "total_cputime">>) =>
  uses.flatMap((use) => [
    ...Option.toArray(use.call_count),
    ...Option.toArray(use.total_time),
    ...Option.toArray(use.total_cputime)
  ])

/**
 * What Meta's headers say of the budgets for an endpoint: the highest percentage of the account's for this kind, which
 * is spent until access is regained where that is said, and the highest of the app's (social-networks.md §2.2).
 */
export const graphUsages = (
  headers: Readonly<Record<string, string | undefined>>,
  endpoint: string,
  now: DateTime.Utc
): ReadonlyArray<Usage> => {
  const uses = usesOf(headers["x-business-use-case-usage"]).filter(
    ({ type }) => !Option.contains(type, endpoint === "content" ? "messenger" : "pages")
  )
  const app = readShares(jsonOf(headers["x-app-usage"]))
  const minutes = mostMinutes(uses)
  const until = inMinutes(believed_minutes, now)
  const usageOf = (counted: Usage["counted"], percents: ReadonlyArray<number>): ReadonlyArray<Usage> =>
    percents.length === 0 ? [] : [{ counted, used_percent: Math.max(...percents), until }]
  return [
    ...(minutes > 0
      ? [{ counted: "account" as const, used_percent: 100, until: inMinutes(minutes, now) }]
      : usageOf("account", percentsOf(uses))),
    ...usageOf("app", Result.isSuccess(app) ? percentsOf([app.success]) : [])
  ]
}

/** The same on Threads, which counts an app's calls for each account apart, and tells that in the app's header. */
export const threadsUsages: typeof graphUsages = (headers, endpoint, now) =>
  graphUsages(headers, endpoint, now).map((usage) => ({ ...usage, counted: "account" }))

/** Code 4 alone is about the whole app; with a subcode it blocks what one account does. */
export const graphLimited = ({ networkCode }: RateLimited): Usage["counted"] =>
  Option.contains(networkCode, "4") ? "app" : "account"
