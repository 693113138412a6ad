import { isSecureUrl } from "@loopbox/adapters-http/server/access/secureUrl"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/** What stands about a variable in `loopbox config` and in the README. */
export interface SettingFacts {
  readonly name: string
  /** In words, as it is written in a table. */
  readonly default: string
  /** What its value must be, with unit and bounds; follows "must be". */
  readonly allowed: string
  readonly description: string
}

/** One environment variable. */
export interface Setting<A> extends SettingFacts {
  readonly isSecret: boolean
  readonly config: Config.Config<A>
  /** What is wrong with a text, said instead of the text. */
  readonly explain?: (text: string) => string
}

/** Reads a value's text; none when it is not allowed. */
export type Parse<A> = (text: string) => Option.Option<A>

const parsed = <A>({ allowed, name }: SettingFacts, parse: Parse<A>): Config.Config<A> =>
  Config.String(name).pipe(
    Config.mapEffect((text) =>
      Option.match(parse(text), {
        onNone: () =>
          Effect.fail(
            new Config.ConfigError(new ConfigProvider.SourceError({ message: `${name} must be ${allowed}.` }))
          ),
        onSome: Effect.succeed
      })
    )
  )

/** A setting that always has a value. */
export const required = <A>(facts: SettingFacts, parse: Parse<A>, value: NoInfer<A>): Setting<A> => ({
  ...facts,
  isSecret: false,
  config: parsed(facts, parse).pipe(Config.withDefault(value))
})

/** A setting that may be absent. */
export const optional = <A>(facts: SettingFacts, parse: Parse<A>): Setting<Option.Option<A>> => ({
  ...facts,
  isSecret: false,
  config: parsed(facts, parse).pipe(Config.option)
})

/** A setting that may be absent and whose value is never shown. */
export const secret = <A>(facts: SettingFacts, parse: Parse<A>): Setting<Option.Option<Redacted.Redacted<A>>> => ({
  ...facts,
  isSecret: true,
  config: parsed(facts, parse).pipe(
    Config.map((value) => Redacted.make(value)),
    Config.option
  )
})

export const text: Parse<string> = Option.some

/** What programs write where there is no value. */
const isPlaceholder = (given: string): boolean => /^(?:undefined|null|none|nan|changeme)$/i.test(given)

/** What a network gave us, copied as it is: quotes around it, or no value at all, are found here and not by the network. */
export const credential: Parse<string> = (given) =>
  /^[\x21-\x7e]{1,512}$/.test(given) && !/["'`]/.test(given) && !isPlaceholder(given)
    ? Option.some(given)
    : Option.none()

export const integer =
  (minimum: number, maximum: number): Parse<number> =>
  (given) => {
    const value = Number(given)
    return /^[0-9]{1,9}$/.test(given) && value >= minimum && value <= maximum ? Option.some(value) : Option.none()
  }

export const oneOf =
  <const A extends string>(...values: ReadonlyArray<A>): Parse<A> =>
  (given) =>
    Option.fromUndefinedOr(values.find((value) => value === given))

const decodeDuration = Schema.decodeUnknownOption(Schema.DurationFromString)

export const duration =
  (minimum: Duration.Input, maximum: Duration.Input): Parse<Duration.Duration> =>
  (given) =>
    decodeDuration(given).pipe(
      Option.filter(
        Duration.between({
          minimum: Duration.fromInputUnsafe(minimum),
          maximum: Duration.fromInputUnsafe(maximum)
        })
      )
    )

/** The same where keys are read: https, or http on the loopback. */
export const secureAddress: Parse<string> = (given) => Option.filter(webAddress(given), isSecureUrl)

/** An http or https address without query and fragment; a trailing slash is dropped. */
export const webAddress: Parse<string> = (given) =>
  Result.try(() => new URL(given)).pipe(
    Result.getSuccess,
    Option.filter(({ hash, protocol, search }) => /^https?:$/.test(protocol) && search === "" && hash === ""),
    Option.map(({ href }) => href.replace(/\/+$/, ""))
  )
