import type * as Brand from "effect/Brand"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"

/** A model as plain data: an `Option` becomes a value or null, a time a `Date`, an id a string, a class an object. */
export type Plain<A> =
  A extends Option.Option<infer B>
    ? Plain<B> | null
    : A extends DateTime.DateTime
      ? Date
      : A extends string & Brand.Brand<string>
        ? string
        : A extends string | number | boolean | null | undefined
          ? A
          : { readonly [K in keyof A]: Plain<A[K]> }

/** Converts every field. The caller must first remove fields that are not public. */
export function toPlain<A>(model: A): Plain<A>
export function toPlain(model: unknown): unknown {
  if (Option.isOption(model)) return toPlain(Option.getOrNull(model))
  if (DateTime.isDateTime(model)) return DateTime.toDateUtc(model)
  if (Array.isArray(model)) return model.map(toPlain)
  if (typeof model !== "object" || model === null) return model
  return Object.fromEntries(Object.entries(model).map(([name, value]) => [name, toPlain(value)]))
}
