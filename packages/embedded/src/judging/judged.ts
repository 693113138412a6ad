import * as Predicate from "effect/Predicate"
import type { Judge } from "./Judge.ts"

/** An argument by its name, and what it must be. */
export type Argument = readonly [name: string, judge: Judge]

/** The arguments of those methods that are judged, in order. */
export type Judgements<Facade> = {
  readonly [
    Method in keyof Facade as Facade[Method] extends (...given: never) => Promise<unknown> ? Method : never
  ]?: ReadonlyArray<Argument>
}

/**
 * Judges arguments as plain JavaScript gives them, before anything runs. What the compiler would have refused is a bug of the
 * caller: it rejects with a TypeError that names the method, the argument and what it must be.
 */
export const judged = <Facade extends object>(
  title: string,
  facade: Facade,
  judgements: Judgements<Facade>
): Facade => {
  for (const [method, all] of Object.entries<ReadonlyArray<Argument> | undefined>(judgements)) {
    const call: unknown = Reflect.get(facade, method)
    if (!Predicate.isFunction(call) || all === undefined) continue
    const judgedCall = async (...given: ReadonlyArray<unknown>): Promise<unknown> => {
      const problems = all.flatMap(([name, judge], at) => judge(given[at], name))
      if (problems.length > 0) throw new TypeError(`${title}.${method}: ${problems.join("; ")}`)
      return Reflect.apply(call, facade, given)
    }
    Object.assign(facade, { [method]: judgedCall })
  }
  return facade
}
