import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { SyncRequest } from "../../api/inbox/SyncBody.ts"
import { refusalResponse } from "../edge/refusalResponse.ts"
import { answer, refusal } from "../edge/refuse.ts"

type Members = Readonly<Record<string, unknown>>

/** The largest page of each list that UniPost's clients ask for. */
const largestPages: Readonly<Record<string, number>> = {
  "GET /v1/inbox": 500,
  "GET /v1/media": 100,
  "GET /v1/media/gif-conversions": 100,
  "GET /v1/media/audio-overlays": 100
}

/** A `limit` that is no number from 1 on asks for the usual page, a large one for the largest. */
const clampLimit = (given: string, largest: number): ReadonlyArray<string> => {
  const limit = /^\d+$/.test(given) ? Number(given) : 0
  return limit === 0 ? [] : [`limit=${Math.min(limit, largest)}`]
}

/** A dashboard's socket without a scope is for the workspace, as its other calls are. */
const withSocketScope = (parts: ReadonlyArray<string>) =>
  parts.some((part) => part.startsWith("token=")) &&
  !parts.some((part) => part.startsWith("inbox_scope=") || part.startsWith("external_user_id="))
    ? [...parts, "inbox_scope=workspace"]
    : parts

/** The address as ours. Other members of its query stay as they were written: some are judged so. */
export const toOurUrl = (route: string, url: string): string => {
  const [path = "", query = ""] = url.split(/\?(.*)/s, 2)
  if (query === "") return url
  const parts = query.split("&")
  const largest = largestPages[route]
  const limits = parts.filter((part) => part.startsWith("limit="))
  const ours =
    route === "GET /v1/inbox/ws"
      ? withSocketScope(parts)
      : largest === undefined || limits.length !== 1
        ? parts
        : parts.flatMap((part) =>
            part.startsWith("limit=") ? clampLimit(part.slice("limit=".length), largest) : [part]
          )
  return ours.length === 0 ? path : `${path}?${ours.join("&")}`
}

const isBoolean = (given: unknown) => given === undefined || Predicate.isBoolean(given)

/** More than a week is asked for, and a week is read. */
const longestLookback = 7

const toLookback = (days: unknown) =>
  Predicate.isNumber(days) && Number.isInteger(days) && days > longestLookback ? longestLookback : days

const isSyncRequest = Schema.is(SyncRequest)

/** What a backfill of messages alone answers: messages of X are not read. */
const nothingRead = Effect.map(
  answer({
    status: "completed",
    new_items: 0,
    accounts_checked: 0,
    errors: [],
    details: [],
    accepted: 0,
    duplicates: 0,
    suppressed: 0,
    read: 0,
    confirmation_required: false
  }),
  (body) => HttpServerResponse.jsonUnsafe(body)
)

const toOurBackfill = ({ account_id, include_dms, include_replies, lookback_days, ...rest }: Members): Members => ({
  ...rest,
  ...(account_id === undefined
    ? {}
    : rest["social_account_id"] === undefined
      ? { social_account_id: account_id }
      : // Both: the first is refused as unknown.
        { account_id }),
  ...(lookback_days === undefined ? {} : { lookback_days: toLookback(lookback_days) }),
  ...(isBoolean(include_dms) ? {} : { include_dms }),
  ...(isBoolean(include_replies) ? {} : { include_replies })
})

/** Whether the caller has such an account of X. */
export type HasAccount = (id: unknown) => Effect.Effect<boolean>

/** As every backfill of an account that is not there. */
const noAccount = Effect.map(refusal("NOT_FOUND", "There is no such X account in this scope."), (refused) =>
  refusalResponse(refused)
)

const toOurSync = Effect.fnUntraced(function* (given: Members, hasAccount: HasAccount) {
  const { x_backfill: backfill, ...rest } = given
  if (!Predicate.isObject(backfill)) return given
  const members: Members = { ...backfill }
  const translated = toOurBackfill(members)
  const ours = { ...rest, x_backfill: translated }
  const isOfMessagesAlone = members["include_dms"] === true && members["include_replies"] === false
  // What is wrong with the rest is told as ever.
  if (!isOfMessagesAlone || !isSyncRequest(ours)) return ours
  const asked = translated["social_account_id"] ?? null
  const isThere = asked === null || (yield* hasAccount(asked))
  return yield* Effect.die(yield* isThere ? nothingRead : noAccount)
})

/** An empty name is none. */
const toOurThreadState = (given: Members): Members =>
  given["assigned_to"] === "" ? { ...given, assigned_to: null } : given

/** The JSON body as ours. */
export const toOurBody =
  (route: string, hasAccount: HasAccount) =>
  (given: unknown): Effect.Effect<unknown, never, never> => {
    if (!Predicate.isObject(given)) return Effect.succeed(given)
    const members: Members = { ...given }
    switch (route) {
      case "POST /v1/inbox/:id/thread-state":
        return Effect.succeed(toOurThreadState(members))
      case "POST /v1/inbox/sync":
        return toOurSync(members, hasAccount)
      default:
        return Effect.succeed(given)
    }
  }

/** Types that UniPost takes by other names. */
const typeNames: Readonly<Record<string, string>> = {
  "image/jpg": "image/jpeg",
  "video/x-m4v": "video/mp4",
  "audio/x-wav": "audio/wav",
  "audio/x-m4a": "audio/mp4"
}

/** The name of a media type that is stored. */
export const toOurType = (given: string): string => typeNames[given.trim().toLowerCase()] ?? given
