import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Schema from "effect/Schema"
import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"

export const sandboxClient = Effect.promise(() => import("./sandboxClient.ts"))

export const textFlag = (name: string, description: string) =>
  Flag.String(name).pipe(
    Flag.filter(
      (text) => text !== "",
      () => "some text"
    ),
    Flag.optional,
    Flag.withDescription(description)
  )

/** One of a few words. Of an argument, unlike a flag, the help does not list them by itself. */
export const choiceArgument = <const C extends ReadonlyArray<string>>(name: string, choices: C, description: string) =>
  Argument.Literals(name, choices).pipe(Argument.withDescription(`${description} (choices: ${choices.join(", ")})`))

/** A whole number from `least` to `most`, as the simulator takes it. */
export const countFlag = (name: string, [least, most]: readonly [least: number, most: number], description: string) =>
  Flag.Int(name).pipe(
    Flag.filter(
      (count) => count >= least && count <= most,
      () => `an integer from ${least} to ${most}`
    ),
    Flag.optional,
    Flag.withDescription(`${description}, ${least} to ${most}`)
  )

/** Members that were given; what is left out is for the simulator to choose. */
export const given = (members: Readonly<Record<string, Option.Option<string | number>>>): Record<string, Schema.Json> =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => Option.toArray(value).map((one) => [name, one]))
  )
