import * as Predicate from "effect/Predicate"

/** What is wrong with a value, in sentences that begin with where it stands. */
export type Judge = (given: unknown, name: string) => ReadonlyArray<string>

export const must =
  (isRight: (given: unknown) => boolean, rule: string): Judge =>
  (given, name) =>
    isRight(given) ? [] : [`${name} must ${rule}`]

export const text = must(Predicate.isString, "be a text")

export const texts = must((given) => Array.isArray(given) && given.every(Predicate.isString), "be a list of texts")

export const isRecord = (given: unknown): given is Readonly<Record<string, unknown>> =>
  Predicate.isObject(given) && !Array.isArray(given)

/** An object with no other members than these, and some that are passed over; one that is undefined is as absent. */
export const membersOf =
  (members: Readonly<Record<string, Judge>>, what: string, passedOver: ReadonlySet<string> = new Set()): Judge =>
  (given, name) => {
    if (!isRecord(given)) return [`${name} must be ${what}`]
    return Object.entries(given).flatMap(([member, value]) => {
      const judge = Object.hasOwn(members, member) ? members[member] : undefined
      if (judge === undefined) {
        if (passedOver.has(member)) return []
        return [`${name}.${member} is not known: there are ${Object.keys(members).join(", ")}`]
      }
      return value === undefined ? [] : judge(value, `${name}.${member}`)
    })
  }

/** An object whose members have names of their own. */
export const recordOf =
  (judge: Judge, what: string): Judge =>
  (given, name) =>
    isRecord(given)
      ? Object.entries(given).flatMap(([member, value]) => judge(value, `${name}.${member}`))
      : [`${name} must be ${what}`]

/** Members that must be there. */
export const needs =
  (names: ReadonlyArray<string>, judge: Judge): Judge =>
  (given, name) => {
    const missing = isRecord(given) ? names.filter((member) => given[member] === undefined) : []
    return [...missing.map((member) => `${name}.${member} is missing`), ...judge(given, name)]
  }

/** May be null as well. */
export const optional =
  (judge: Judge): Judge =>
  (given, name) =>
    given === undefined || given === null ? [] : judge(given, name)

export const oneOf = (values: ReadonlyArray<string>): Judge =>
  must((given) => Predicate.isString(given) && values.includes(given), `be one of ${values.join(", ")}`)

export const listOf =
  (values: ReadonlyArray<string>): Judge =>
  (given, name) =>
    Array.isArray(given)
      ? given.flatMap((one: unknown, at) => oneOf(values)(one, `${name}[${at}]`))
      : [`${name} must be a list of ${values.join(", ")}`]

export const flag = must(Predicate.isBoolean, "be true or false")

export const aNumber = must(Predicate.isNumber, "be a number")

/** A text is what JSON makes of a `Date`. Whether it is a time at all is judged where it is read. */
export const moment = must((given) => given instanceof Date || Predicate.isString(given), "be a Date")

/** Where in the log of events something stands. */
export const eventNumber = must(
  (given) => Predicate.isNumber(given) && Number.isSafeInteger(given) && given >= 0,
  "be the number of an event, or 0"
)

/** Of what is judged elsewhere. */
export const anything: Judge = () => []
