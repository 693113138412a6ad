import * as Predicate from "effect/Predicate"
import { type Judge, membersOf, must, optional } from "./Judge.ts"

/** An argument by its name, and what it must be. */
export type Argument = readonly [name: string, judge: Judge]

/** The arguments of every method, in order. Those of a method that gives a promise end with `{ signal }`, unless `options` is theirs. */
export type Judgements<Facade> = {
  readonly [Method in keyof Facade]: Facade[Method] extends (...given: never) => Promise<unknown>
    ? ReadonlyArray<Argument>
    : { readonly iterates: ReadonlyArray<Argument> }
}

/** Judgements of several facades, by their names. */
export type AllJudgements<Facades> = { readonly [Name in keyof Facades]: Judgements<Facades[Name]> }

export const signal = must(
  (given) =>
    given instanceof AbortSignal || (Predicate.isObject(given) && Predicate.isFunction(given["addEventListener"])),
  "be an AbortSignal"
)

export const callOptions: Argument = ["options", optional(membersOf({ signal }, "{ signal }"))]

const isList = (given: unknown): given is ReadonlyArray<Argument> => Array.isArray(given)

interface Iterating {
  readonly iterates: ReadonlyArray<Argument>
}

const withOptions = (all: ReadonlyArray<Argument>): ReadonlyArray<Argument> =>
  all.at(-1)?.[0] === "options" ? all : [...all, callOptions]

/** As one that fails with the first event. */
const failing = (error: TypeError): AsyncIterable<never> => ({
  [Symbol.asyncIterator]: () => ({ next: async () => Promise.reject(error) })
})

/**
 * Judges arguments as plain JavaScript gives them, before anything runs. What the compiler would have refused is a bug of the
 * caller: it rejects with a TypeError that names the method, the argument and what it must be.
 */
const judge = (
  title: string,
  facade: object,
  judgements: Readonly<Record<string, ReadonlyArray<Argument> | Iterating>>
) => {
  for (const [method, judgement] of Object.entries(judgements)) {
    const call: unknown = Reflect.get(facade, method)
    if (!Predicate.isFunction(call)) continue
    const all = isList(judgement) ? withOptions(judgement) : judgement.iterates
    const faultOf = (given: ReadonlyArray<unknown>): TypeError | undefined => {
      const problems = all.flatMap(([name, one], at) => one(given[at], name))
      return problems.length > 0 ? new TypeError(`${title}.${method}: ${problems.join("; ")}`) : undefined
    }
    const judgedCall = isList(judgement)
      ? async (...given: ReadonlyArray<unknown>): Promise<unknown> => {
          const fault = faultOf(given)
          if (fault !== undefined) throw fault
          return Reflect.apply(call, facade, given)
        }
      : (...given: ReadonlyArray<unknown>): unknown => {
          const fault = faultOf(given)
          return fault === undefined ? Reflect.apply(call, facade, given) : failing(fault)
        }
    Object.assign(facade, { [method]: judgedCall })
  }
}

/** The same facades, whose arguments are judged. The compiler tells when a method has no judgement. */
export const judged = <Facades extends Readonly<Record<keyof Facades, object>>>(
  facades: Facades,
  judgements: AllJudgements<Facades>
): Facades => {
  const tables: Readonly<Record<string, Readonly<Record<string, ReadonlyArray<Argument> | Iterating>>>> = judgements
  for (const [title, facade] of Object.entries<object>(facades)) {
    judge(title, facade, tables[title] ?? {})
  }
  return facades
}
