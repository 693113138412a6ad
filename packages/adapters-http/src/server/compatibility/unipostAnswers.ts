import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"

type Members = Readonly<Record<string, unknown>>

const membersOf = (value: unknown): Members | undefined =>
  Predicate.isObject(value) && !Array.isArray(value) ? { ...value } : undefined

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** UniPost calls X by its old name. */
const toPlatform = (network: unknown) => (network === "x" ? "twitter" : network)

/** What UniPost's clients look for in an item. */
const completeItem = (item: Members): Members => {
  const account = membersOf(item["account"])
  return account === undefined
    ? item
    : {
        ...item,
        account_name: account["name"],
        account_platform: toPlatform(account["network"]),
        account_avatar_url: account["avatar_url"]
      }
}

const completeOperation = (operation: Members): Members => ({
  ...operation,
  completion_attempts: operation["attempts"],
  response_inbox_item_id: operation["response_item_id"]
})

/** An item or an operation, wherever the inbox answers or tells of one. */
const completeOne = (value: unknown): unknown => {
  const members = membersOf(value)
  if (members === undefined) return value
  if ("thread_key" in members && "account" in members) return completeItem(members)
  return "response_item_id" in members ? completeOperation(members) : value
}

const numberOf = (value: unknown) => (Predicate.isNumber(value) ? value : 0)

/** Ids of the accounts that a sync tells of. */
export const accountIdsOf = (sync: unknown): ReadonlyArray<string> =>
  listOf(membersOf(sync)?.["details"]).flatMap((detail) => {
    const id = membersOf(detail)?.["social_account_id"]
    return Predicate.isString(id) ? [id] : []
  })

const completeSyncDetail = (detail: Members, names: ReadonlyMap<string, string>): Members => ({
  ...detail,
  account_id: detail["social_account_id"],
  platform: toPlatform(detail["network"]),
  account_name: names.get(String(detail["social_account_id"])) ?? "",
  // Posts that were looked at are not counted here: all that was read is.
  media_found: 0,
  comments_found: numberOf(detail["read"])
})

const completeSyncError = (error: Members): Members => ({
  ...error,
  account_id: error["social_account_id"],
  platform: toPlatform(error["network"]),
  error: error["message"]
})

const completeAll = (value: unknown, complete: (members: Members) => Members) =>
  listOf(value).map((one) => {
    const members = membersOf(one)
    return members === undefined ? one : complete(members)
  })

/**
 * A sync, a backfill, or what asks for its confirmation. The names are of accounts, by id; the reads are those that a
 * backfill as it was asked for may make of one account.
 */
export const completeSync = (value: unknown, names: ReadonlyMap<string, string>, readsOfOne: number): unknown => {
  const sync = membersOf(value)
  if (sync === undefined) return value
  if ("confirmation_token" in sync) {
    return { ...sync, accounts_checked: Math.round(numberOf(sync["estimated_reads"]) / readsOfOne) }
  }
  const details = listOf(sync["details"])
  const isBackfill = "accepted" in sync
  return {
    ...sync,
    errors: completeAll(sync["errors"], completeSyncError),
    details: completeAll(details, (detail) => completeSyncDetail(detail, names)),
    ...(isBackfill
      ? {
          confirmation_required: false,
          read: details.reduce<number>((sum, detail) => sum + numberOf(membersOf(detail)?.["read"]), 0)
        }
      : {})
  }
}

/** When a signed link ends. */
const endOf = (link: unknown): string | null => {
  const expires = Predicate.isString(link) ? /[?&]expires=(\d{1,15})(?:&|$)/.exec(link)?.[1] : undefined
  const end = expires === undefined ? Option.none() : DateTime.make(Number(expires))
  return Option.getOrNull(Option.map(end, (time) => DateTime.formatIso(DateTime.toUtc(time))))
}

/** A media record: `uploaded` is ready, and `expires_at` is the end of the link that it carries. */
const completeMedia = (value: unknown): unknown => {
  const media = membersOf(value)
  if (media === undefined || !("content_type" in media)) return value
  return {
    ...media,
    status: media["status"] === "ready" ? "uploaded" : media["status"],
    expires_at: media["upload_expires_at"] ?? endOf(media["download_url"])
  }
}

const completeEach = (data: unknown, complete: (one: unknown) => unknown) =>
  Array.isArray(data) ? data.map(complete) : complete(data)

/** The `data` of an answer with what UniPost's clients look for in it; of a sync see `completeSync`. */
export const completeData = (route: string, data: unknown): unknown =>
  /^\S+ \/v1\/inbox(?:\/|$)/.test(route)
    ? completeEach(data, completeOne)
    : /^\S+ \/v1\/media(?:\/|$)/.test(route)
      ? completeEach(data, completeMedia)
      : data

/** Likewise an event on the socket. */
export const completeEvent = (event: object): object => {
  const members: Members = { ...event }
  return {
    ...members,
    ...("item" in members ? { item: completeOne(members["item"]) } : {}),
    ...("operation" in members ? { operation: completeOne(members["operation"]) } : {})
  }
}
