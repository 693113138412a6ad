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

/** An object with no other members than these; one that is undefined is as absent. */
export const membersOf =
  (members: Readonly<Record<string, Judge>>, what: string): Judge =>
  (given, name) => {
    if (!isRecord(given)) return [`${name} must be ${what}`]
    return Object.entries(given).flatMap(([member, value]) => {
      const judge = Object.hasOwn(members, member) ? members[member] : undefined
      if (judge === undefined) return [`${name}.${member} is not known: there are ${Object.keys(members).join(", ")}`]
      return value === undefined ? [] : judge(value, `${name}.${member}`)
    })
  }

/** May be null as well. */
export const optional =
  (judge: Judge): Judge =>
  (given, name) =>
    given === undefined || given === null ? [] : judge(given, name)

export const oneOf = (values: ReadonlyArray<string>): Judge =>
  must((given) => Predicate.isString(given) && values.includes(given), `be one of ${values.join(", ")}`)

export const flag = must(Predicate.isBoolean, "be true or false")

/** Of what is judged elsewhere. */
export const anything: Judge = () => []
