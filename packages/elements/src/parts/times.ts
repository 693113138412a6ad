const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Formatters are dear to make, and there are few of them. */
const made = new Map<string, Intl.DateTimeFormat>()

const format = (language: string, options: Intl.DateTimeFormatOptions, at: Date): string => {
  const key = `${language} ${JSON.stringify(options)}`
  const formatter = made.get(key) ?? new Intl.DateTimeFormat(language, options)
  made.set(key, formatter)
  return formatter.format(at)
}

const startOfDay = (at: Date): number => new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime()

/** Days of the calendar between two moments, 0 on the same one. */
const daysBetween = (from: Date, to: Date): number => Math.round((startOfDay(to) - startOfDay(from)) / day)

/** How long ago, or in how long, as short as a list can hold: "3 min", "14:05", "Mon", "12 Mar", "12 Mar 2024". */
export const shortTime = (at: Date, now: Date, language: string): string => {
  const past = now.getTime() - at.getTime()
  if (past >= 0 && past < minute) return relative(language, 0, "second", "auto")
  if (past >= 0 && past < hour) return minutes(language, Math.floor(past / minute))
  const days = daysBetween(at, now)
  if (days === 0) return format(language, { timeStyle: "short" }, at)
  if (days > 0 && days < 7) return format(language, { weekday: "short" }, at)
  const isThisYear = at.getFullYear() === now.getFullYear()
  return format(language, { day: "numeric", month: "short", ...(isThisYear ? {} : { year: "numeric" }) }, at)
}

/** The whole moment, for a tooltip. */
export const fullTime = (at: Date, language: string): string =>
  format(language, { dateStyle: "full", timeStyle: "short" }, at)

/** A clock's time. */
export const clockTime = (at: Date, language: string): string => format(language, { timeStyle: "short" }, at)

/** A clock's time, to the second. */
export const clockTimeWithSeconds = (at: Date, language: string): string =>
  format(language, { timeStyle: "medium" }, at)

/** A day as a line between messages says it: "today", "yesterday", "Monday, 2 March". */
export const dayName = (at: Date, now: Date, language: string): string => {
  const days = daysBetween(at, now)
  if (days === 0 || days === 1) return relative(language, -days, "day", "auto")
  const isThisYear = at.getFullYear() === now.getFullYear()
  const year: Intl.DateTimeFormatOptions = isThisYear ? {} : { year: "numeric" }
  return format(language, { weekday: "long", day: "numeric", month: "long", ...year }, at)
}

/** "in 3 hours", "2 days ago": the largest unit that fits. */
export const relativeTime = (at: Date, now: Date, language: string): string => {
  const ahead = at.getTime() - now.getTime()
  const size = Math.abs(ahead)
  if (size < minute) return relative(language, Math.round(ahead / 1_000), "second", "auto")
  if (size < hour) return relative(language, Math.round(ahead / minute), "minute", "always")
  if (size < day) return relative(language, Math.round(ahead / hour), "hour", "always")
  return relative(language, Math.round(ahead / day), "day", "always")
}

const minutes = (language: string, count: number): string =>
  new Intl.NumberFormat(language, { style: "unit", unit: "minute", unitDisplay: "short" }).format(Math.max(1, count))

const relative = (
  language: string,
  value: number,
  unit: Intl.RelativeTimeFormatUnit,
  numeric: "auto" | "always"
): string =>
  new Intl.RelativeTimeFormat(language, { numeric, style: numeric === "auto" ? "long" : "short" }).format(value, unit)
