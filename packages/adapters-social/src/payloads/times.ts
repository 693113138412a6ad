import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"

/** Four digits of a year are what RFC 3339 has. */
const latest_ms = 253_402_300_799_999

const fromMillis = (millis: number): Option.Option<DateTime.Utc> =>
  millis > 0 && millis <= latest_ms ? DateTime.make(Math.trunc(millis)) : Option.none()

/** Seconds or milliseconds since 1970, told apart by their size; also as digits in a string. */
export const fromUnix = (value: unknown): Option.Option<DateTime.Utc> => {
  const number = typeof value === "string" && /^\d{1,16}$/.test(value) ? Number(value) : value
  if (typeof number !== "number") return Option.none()
  return fromMillis(number >= 1e12 ? number : number * 1000)
}

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/

/** `2026-02-17T11:00:00.000Z`, and `+0000` without a colon. */
export const fromIso = (value: unknown): Option.Option<DateTime.Utc> =>
  typeof value === "string" && isoTime.test(value)
    ? Option.flatMap(DateTime.make(value.replace(/([+-]\d\d)(\d\d)$/, "$1:$2")), (time) =>
        fromMillis(DateTime.toEpochMillis(time))
      )
    : Option.none()

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
const oldTime = /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) (\d\d) (\d\d:\d\d:\d\d) ([+-]\d{4}) (\d{4})$/

/** `Wed Aug 12 18:00:00 +0000 2026`, as X wrote times before its API 2. */
export const fromOldX = (value: unknown): Option.Option<DateTime.Utc> => {
  const [, month = "", day = "", time = "", zone = "", year = ""] =
    typeof value === "string" ? (oldTime.exec(value) ?? []) : []
  const number = months.indexOf(month) + 1
  return number === 0 ? Option.none() : fromIso(`${year}-${String(number).padStart(2, "0")}-${day}T${time}${zone}`)
}

const firstSecond = 1_072_915_200
const longestDelay_s = 2 ** 22 - 1
const lastSecond = 2 ** 31 - 1

/**
 * The version of a statement that has no edit counter: ordered by when it happened, then by when it was sent, in
 * seconds, for networks give some events the time of the item instead of their own. Above 0, and a safe integer.
 */
export const eventVersion = (happenedAt: DateTime.Utc, sentAt: Option.Option<DateTime.Utc>): number => {
  const happened_s = Math.floor(DateTime.toEpochMillis(happenedAt) / 1000)
  const sent_s = Option.match(sentAt, {
    onNone: () => happened_s,
    onSome: (at) => Math.floor(DateTime.toEpochMillis(at) / 1000)
  })
  const second = Math.min(Math.max(happened_s - firstSecond, 1), lastSecond)
  const delay = Math.min(Math.max(sent_s - happened_s, 0), longestDelay_s)
  return second * (longestDelay_s + 1) + delay
}
