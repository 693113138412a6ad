import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Flag from "effect/cli/Flag"

/** What a command answers: text for people, or the same as JSON for programs. */
export const jsonFlag = Flag.Boolean("json").pipe(Flag.withDefault(false), Flag.withDescription("Answer in JSON"))

/** Prints to standard output; lines of the log have a place of their own only in `serve`. */
export const print = (text: string): Effect.Effect<void> => Effect.sync(() => void process.stdout.write(`${text}\n`))

/** For whoever sits before it, not for what reads the answer. */
export const note = (text: string): Effect.Effect<void> => Effect.sync(() => void process.stderr.write(`${text}\n`))

export const printJson = (value: unknown): Effect.Effect<void> => print(JSON.stringify(value, null, 2))

const shown = (value: unknown): string => {
  if (value === null || value === undefined) return "-"
  return typeof value === "object" ? JSON.stringify(value) : String(value)
}

const toRecord = Schema.decodeUnknownSync(Schema.Record(Schema.String, Schema.Unknown))

/** One `name: value` a line. */
export const printFields = (value: unknown): Effect.Effect<void> =>
  print(
    Object.entries(toRecord(value))
      .map(([name, field]) => `${name}: ${shown(field)}`)
      .join("\n")
  )

/** A table with as wide columns as it needs. */
export const toTable = (names: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = names.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)))
  return [names, ...rows]
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd()
    )
    .join("\n")
}

/** Records as a table of some of their members. */
export const printRows = (names: ReadonlyArray<string>, values: ReadonlyArray<unknown>): Effect.Effect<void> =>
  print(
    toTable(
      names.map((name) => name.toUpperCase()),
      values.map((value) => {
        const record = toRecord(value)
        return names.map((name) => shown(record[name]))
      })
    )
  )
