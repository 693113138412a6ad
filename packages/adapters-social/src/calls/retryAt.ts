import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"

const longest_s = 25 * 60 * 60

const inSeconds = (now: DateTime.Utc, seconds: number): DateTime.Utc =>
  DateTime.add(now, { seconds: Math.min(Math.max(Math.ceil(seconds), 0), longest_s) })

/** `Retry-After`, in seconds or as a date; none when it is absent or can't be read. */
export const retryAfter = (header: string | undefined, now: DateTime.Utc): Option.Option<DateTime.Utc> => {
  if (header === undefined) return Option.none()
  if (/^\d{1,9}$/.test(header)) return Option.some(inSeconds(now, Number(header)))
  return Option.map(DateTime.make(header), (at) =>
    inSeconds(now, (DateTime.toEpochMillis(at) - DateTime.toEpochMillis(now)) / 1000)
  )
}

/** `x-rate-limit-reset`: seconds since 1970. */
export const resetAt = (header: string | undefined, now: DateTime.Utc): Option.Option<DateTime.Utc> =>
  header !== undefined && /^\d{1,12}$/.test(header)
    ? Option.some(inSeconds(now, Number(header) - DateTime.toEpochMillis(now) / 1000))
    : Option.none()

/** Minutes from now, as Meta tells when access comes back. */
export const inMinutes = (minutes: number, now: DateTime.Utc): DateTime.Utc => inSeconds(now, minutes * 60)

/** The last of some moments: never sooner than any of them asks for. */
export const latest = (...moments: ReadonlyArray<Option.Option<DateTime.Utc>>): Option.Option<DateTime.Utc> =>
  moments.reduce((a, b) =>
    Option.isSome(a) && Option.isSome(b) ? Option.some(DateTime.max(a.value, b.value)) : Option.orElse(a, () => b)
  )
