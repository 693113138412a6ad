import { PgAdapters } from "@loopbox/adapters-postgres"
import { Effect, Layer, Option, Schema } from "effect"
import { SqlClient, Statement } from "effect/sql"
import type { Tracer } from "effect"
import { inject } from "vitest"
import { overAll } from "../src/connection/allWorkspaces.ts"
import { type Table, tables } from "../src/tables.ts"

const listed: ReadonlyArray<Table> = tables
const distributed = listed.flatMap(({ name, place }) => (typeof place === "object" ? [name] : []))

const usesTable = new RegExp(`\\b(FROM|JOIN|INTO|UPDATE|USING|ONLY)\\s+"?(${distributed.join("|")})\\b`, "gi")
const exceptions = /\/\* all workspaces: ([\w.]+) \*\//g

/** Whether a store sent the statement, and not a test by itself. */
const isOfStore = (span: Tracer.AnySpan): boolean => {
  for (let one: Option.Option<Tracer.AnySpan> = Option.some(span); Option.isSome(one);) {
    if (one.value._tag !== "Span") return false
    if (/^Pg[A-Z]/.test(one.value.name)) return true
    one = one.value.parent
  }
  return false
}

const namesException = (text: string): boolean =>
  Array.from(text.matchAll(exceptions)).some(([, name = ""]) => Object.hasOwn(overAll, name))

/** A value for the workspace of every table that is written, and a condition for what is read. */
const namesWorkspace = (text: string): boolean => {
  const used = new Set(Array.from(text.matchAll(usesTable), ([, , name]) => name))
  if (/\bworkspace_id"? = \$\d+/.test(text) || /INSERT INTO "?\w+"?( AS \w+)?\s*\([^)]*\bworkspace_id\b/.test(text))
    return true
  return used.size === 1 && used.has("workspaces") && (/\bid = \$\d+/.test(text) || text.startsWith("INSERT INTO"))
}

const PlanRow = Schema.Struct({ "QUERY PLAN": Schema.String })

/** Statements of which the coordinator says that more than one shard is asked. */
const askingSeveral = (target: PgAdapters.Target, sent: ReadonlyMap<string, ReadonlyArray<unknown>>) =>
  PgAdapters.withLongRunningClient(
    target,
    {},
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const found: Array<string> = []
      for (const [text, values] of sent) {
        const plan = yield* sql.unsafe(`EXPLAIN ${text}`, values).pipe(
          Effect.flatMap(Schema.decodeUnknownEffect(Schema.Array(PlanRow))),
          Effect.map((rows) => rows.map((row) => row["QUERY PLAN"]).join("\n")),
          // Planned with values that a later change made wrong: the test has seen it run.
          Effect.orElseSucceed(() => "")
        )
        if (Array.from(plan.matchAll(/Task Count: (\d+)/g)).some(([, count]) => Number(count) > 1)) found.push(text)
      }
      return found
    })
  )

/**
 * Collects what stores send while a file's tests run, and fails unless each statement names one workspace, or is in the list
 * of those that read over all (src/connection/allWorkspaces.ts). On a distributed database the coordinator's plan tells.
 */
export const layerNamedWorkspaces = (target: PgAdapters.Target) =>
  Layer.effect(
    Statement.CurrentTransformer,
    Effect.gen(function* () {
      const sent = new Map<string, ReadonlyArray<unknown>>()
      yield* Effect.addFinalizer(() =>
        Effect.gen(function* () {
          const hasNodes = (inject("loopboxTestServer").workers ?? []).length > 0
          const named = new Map(Array.from(sent).filter(([text]) => !namesException(text)))
          const wrong = hasNodes
            ? yield* Effect.orDie(askingSeveral(target, named))
            : Array.from(named.keys()).filter((text) => !namesWorkspace(text))
          if (wrong.length > 0) {
            return yield* Effect.die(new Error(`statements that name no workspace:\n\n${wrong.join("\n\n")}`))
          }
        })
      )
      const collect: Statement.Transformer = (statement, _sql, _fiber, span) =>
        Effect.sync(() => {
          if (isOfStore(span)) {
            const [text, values] = statement.compile()
            if (!sent.has(text) && text.search(usesTable) >= 0) sent.set(text, values)
          }
          return statement
        })
      return collect
    })
  )
