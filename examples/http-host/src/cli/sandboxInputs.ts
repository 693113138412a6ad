import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Schema from "effect/Schema"
import * as Flag from "effect/cli/Flag"

export const sandboxClient = Effect.promise(() => import("./sandboxClient.ts"))

export const textFlag = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.optional, Flag.withDescription(description))

/** Members that were given; what is left out is for the simulator to choose. */
export const given = (members: Readonly<Record<string, Option.Option<string | number>>>): Record<string, Schema.Json> =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => Option.toArray(value).map((one) => [name, one]))
  )
