import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import { loadHostConfig } from "../hostConfig.ts"
import { jsonFlag, print, printJson } from "./output.ts"

export const migrateCommand = Command.make(
  "migrate",
  { json: jsonFlag },
  Effect.fnUntraced(function* ({ json }) {
    const config = yield* loadHostConfig()
    const { migrate } = yield* Effect.promise(() => import("../databaseCommands.ts"))
    const { newest, ran } = yield* migrate(config)
    if (json) return yield* printJson({ ran, newest })
    yield* print(
      ran.length === 0 ? `The database is up to date (${newest}).` : `The database was migrated: ${ran.join(", ")}.`
    )
  })
).pipe(Command.withDescription("Bring the database up to date; `serve` does so by itself"))
