import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import { Networks } from "./Networks.ts"

const oneOf = (known: ReadonlyArray<string>) => `must be one of ${known.join(", ")}`

/** The name of a known network; for input. */
export const KnownNetwork = Schema.String.pipe(
  Schema.decode({
    decode: SchemaGetter.checkEffect((name: string) =>
      Effect.map(Networks, ({ networks }) => (networks.includes(name) ? undefined : oneOf(networks)))
    ),
    encode: SchemaGetter.passthrough()
  })
)

/** The name of a source of a known network; for input. */
export const KnownSource = Schema.String.pipe(
  Schema.decode({
    decode: SchemaGetter.checkEffect((name: string) =>
      Effect.map(Networks, ({ sources }) => (sources.includes(name) ? undefined : oneOf(sources)))
    ),
    encode: SchemaGetter.passthrough()
  })
)
