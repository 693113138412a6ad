import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import * as SchemaIssue from "effect/SchemaIssue"
import { idText, linkText, nameText } from "@loopbox/core/networks/networkText"
import { fromIso, fromUnix } from "./times.ts"

type Read<A> = (value: unknown) => Option.Option<A>

const onlyRead = SchemaGetter.forbidden(() => "Payloads are only read.")

/** A member that an element can't be without. */
const required = <A>(type: Schema.Codec<A>, expected: string, read: Read<A>) =>
  Schema.Unknown.pipe(
    Schema.decodeTo(type, {
      decode: SchemaGetter.transformEffect((value: unknown, options) =>
        Option.match(read(value), {
          onNone: () => Effect.fail(new SchemaIssue.InvalidValue({ expected }, value, options)),
          onSome: (read) => Effect.succeed(read)
        })
      ),
      encode: onlyRead
    })
  )

/** A member that drops nothing: what is absent, null or of another shape than ever seen is `none`. */
const optional = <A>(type: Schema.Codec<A>, read: Read<A>) =>
  Schema.optionalKey(Schema.Unknown).pipe(
    Schema.decodeTo(Schema.Option(type), {
      decode: SchemaGetter.transformOptional((value: Option.Option<unknown>) =>
        Option.some(Option.flatMap(value, read))
      ),
      encode: onlyRead
    })
  )

/** An id, however the network wrote it. */
export const readId: Read<string> = (value) =>
  typeof value === "string"
    ? idText(value)
    : typeof value === "number" && Number.isSafeInteger(value)
      ? Option.some(String(value))
      : Option.none()

const readName: Read<string> = (value) => (typeof value === "string" ? nameText(value) : Option.none())
const readLink: Read<string> = (value) => (typeof value === "string" ? linkText(value) : Option.none())
const readText: Read<string> = (value) => (typeof value === "string" ? Option.some(value) : Option.none())

const readInteger: Read<number> = (value) => {
  const number = typeof value === "string" && /^-?\d{1,15}$/.test(value) ? Number(value) : value
  return typeof number === "number" && Number.isSafeInteger(number) ? Option.some(number) : Option.none()
}
const readCount: Read<number> = (value) => Option.filter(readInteger(value), (number) => number >= 0)

/** An id, however the network wrote it: as a string, or as a number that `parseJson` kept whole. */
export const Id = required(Schema.String, "an id", readId)
export const OptionalId = optional(Schema.String, readId)
/** A token: neither empty nor endless. */
export const Token = required(Schema.String, "a token", (value) =>
  typeof value === "string" && value !== "" && value.length <= 4_096 ? Option.some(value) : Option.none()
)
/** A name, cut and trimmed; an empty one is none. */
export const OptionalName = optional(Schema.String, readName)
/** An http(s) link that may be shown. */
export const OptionalLink = optional(Schema.String, readLink)
/** Text as it came; `bodyText` makes it storable. */
export const OptionalText = optional(Schema.String, readText)
/** `true`, also as text. */
export const OptionalFlag = optional(Schema.Boolean, (value) =>
  value === true || value === "true" ? Option.some(true) : Option.none()
)
/** `true` or `false`, also as text; none where nothing is said. */
export const OptionalBoolean = optional(Schema.Boolean, (value) => {
  if (value === true || value === "true") return Option.some(true)
  return value === false || value === "false" ? Option.some(false) : Option.none()
})
/** A whole number, 0 or more; also as digits in a string, as Meta writes the number of an edit. */
export const Count = required(Schema.Int, "a whole number", readCount)
/** A whole number of either sign: Meta's error codes begin at -1. */
export const Integer = required(Schema.Int, "a whole number", readInteger)
export const OptionalCount = optional(Schema.Int, readCount)
/** A number that may be broken, 0 or more. */
export const OptionalAmount = optional(Schema.Number, (value) =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? Option.some(value) : Option.none()
)
/** Seconds or milliseconds since 1970, or ISO with `+0000`. */
export const OptionalTime = optional(Schema.DateTimeUtc, (value) =>
  Option.orElse(fromUnix(value), (): Option.Option<DateTime.Utc> => fromIso(value))
)

/** An object inside another one; the whole of it is none when a required member is missing. */
export const optionalPart = <S extends Schema.Codec<unknown, unknown>>(part: S) =>
  optional(Schema.toType(part), Schema.decodeUnknownOption(part))

/** One or many, as networks have it: an array, a single one, or nothing. */
export const asArray = (value: unknown): ReadonlyArray<unknown> =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]

/** Elements that decode, in their order; the others are left out. */
export const optionalParts = <S extends Schema.Codec<unknown, unknown>>(part: S) => {
  const read = Schema.decodeUnknownOption(part)
  return Schema.optionalKey(Schema.Unknown).pipe(
    Schema.decodeTo(Schema.Array(Schema.toType(part)), {
      decode: SchemaGetter.transformOptional((value: Option.Option<unknown>) =>
        Option.some(asArray(Option.getOrUndefined(value)).flatMap((one) => Option.toArray(read(one))))
      ),
      encode: onlyRead
    })
  )
}

const formatIssue = SchemaIssue.makeFormatterStandardSchemaV1()

/** A decoder whose failure names the members that are wrong, and none of their values. */
export const reader = <S extends Schema.Codec<unknown, unknown>>(schema: S) => {
  const decode = Schema.decodeUnknownResult(schema, { errors: "all" })
  return (value: unknown): Result.Result<S["Type"], string> =>
    Predicate.isObject(value)
      ? Result.mapError(decode(value), (error) => {
          const paths = formatIssue(error.issue).issues.map(({ path = [] }) => path.map(String).join("."))
          return `missing or unreadable: ${[...new Set(paths)].join(", ")}`.slice(0, 300)
        })
      : Result.fail("not an object")
}
