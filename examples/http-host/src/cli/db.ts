import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { loadHostConfig } from "../hostConfig.ts"
import { fileArgument } from "./fileInput.ts"
import { checkInput, checkOutput, refuseStreams } from "./namedFiles.ts"
import { jsonFlag, note, print, printJson } from "./output.ts"

const dumpArgument = fileArgument("file").pipe(Argument.withDescription("The file, in Loopbox's own format"))

/** A command line is seen by every user of the machine, so a URL with a password belongs into DATABASE_URL. */
const databaseFlag = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.optional, Flag.withDescription(description))

const commands = Effect.promise(() => import("../databaseCommands.ts"))

const exportCommand = Command.make(
  "export",
  {
    file: dumpArgument,
    from: databaseFlag("from", "URL of the database to read, instead of the configured one"),
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ file, from, json }) {
    yield* refuseStreams(file)
    yield* checkOutput(file)
    const config = yield* loadHostConfig({ DATABASE_URL: { flag: "--from", text: Option.getOrUndefined(from) } })
    const { exportDatabase } = yield* commands
    const { rows, tables } = yield* exportDatabase(config, file)
    yield* json ? printJson({ file, tables, rows }) : print(`${rows} rows of ${tables} tables are in ${file}.`)
  })
).pipe(Command.withDescription("Write all of the database to a file; the blob folder is copied by other means"))

const importCommand = Command.make(
  "import",
  {
    file: dumpArgument,
    to: databaseFlag("to", "URL of the empty database to fill, instead of the configured one"),
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ file, json, to }) {
    yield* refuseStreams(file)
    yield* checkInput(file)
    const config = yield* loadHostConfig({ DATABASE_URL: { flag: "--to", text: Option.getOrUndefined(to) } })
    const { importDatabase } = yield* commands
    const { rows, tables } = yield* importDatabase(config, file)
    yield* json ? printJson({ file, tables, rows }) : print(`${rows} rows of ${tables} tables were read from ${file}.`)
  })
).pipe(Command.withDescription("Fill an empty database from a file that `db export` wrote"))

const upgradeCommand = Command.make(
  "upgrade",
  {
    programs: Flag.String("programs").pipe(
      Flag.optional,
      Flag.withDescription("Folder of the old PostgreSQL's programs (with bin/postgres), where they are not found")
    ),
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ json, programs }) {
    const config = yield* loadHostConfig()
    const { upgradeDatabase } = yield* commands
    const upgraded = yield* upgradeDatabase(config, programs)
    if (json) return yield* printJson({ ...upgraded, kept: upgraded.kept ?? null })
    const { from, kept, rows, to } = upgraded
    yield* print(
      kept === undefined
        ? `The database is PostgreSQL ${from} already.`
        : `The database was moved from PostgreSQL ${from} to ${to}: ${rows} rows. The old one is in ${kept}; ` +
            "delete it when you are content."
    )
  })
).pipe(Command.withDescription("Bring the embedded database to the PostgreSQL of this release"))

const distributeCommand = Command.make(
  "distribute",
  {
    shards: Flag.Int("shards").pipe(
      Flag.withDefault(8),
      Flag.filter(
        (shards) => shards >= 1 && shards <= 512,
        () => "from 1 to 512"
      ),
      Flag.withDescription(
        "Parts that the rows are split into: no more workers can have some; 8, at most 512; ignored once it is distributed"
      )
    ),
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ json, shards }) {
    const config = yield* loadHostConfig()
    const { distributeDatabase } = yield* commands
    const done = yield* distributeDatabase(config, {
      shards,
      onPlaced: ({ rows, table }) => note(`${table}: ${rows} rows`)
    })
    if (json) return yield* printJson(done)
    const { citus, cleared, placed, rows, workers } = done
    yield* print(
      placed.length + cleared.length === 0
        ? `The database is distributed already: all tables are in their places (Citus ${citus}, ${workers} workers).`
        : `${placed.length} tables with ${rows} rows are in their places (Citus ${citus}, ${workers} workers).`
    )
  })
).pipe(
  Command.withDescription(
    "Distribute the database of a coordinator of Citus over its workers: all tables in one transaction, rows counted before and after; can be repeated"
  )
)

export const dbCommand = Command.make("db").pipe(
  Command.withDescription(
    "Move a database: export it to a file, import it elsewhere, upgrade its PostgreSQL, distribute it over several"
  ),
  Command.withSubcommands([exportCommand, importCommand, upgradeCommand, distributeCommand])
)
