import * as Schema from "effect/Schema"
import { createRequire } from "node:module"

const Manifest = Schema.Struct({ version: Schema.String })

/** Version of this package. */
export const version: string = Schema.decodeUnknownSync(Manifest)(
  createRequire(import.meta.url)("../package.json")
).version
