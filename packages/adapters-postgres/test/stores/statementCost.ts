import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Statement from "effect/sql/Statement"

interface PlanNode {
  readonly "Relation Name"?: string | undefined
  readonly "Actual Rows": number
  readonly "Actual Loops": number
  readonly "Rows Removed by Filter"?: number | undefined
  readonly Plans?: ReadonlyArray<PlanNode> | undefined
}

const PlanNode: Schema.Codec<PlanNode> = Schema.Struct({
  "Relation Name": Schema.optional(Schema.String),
  "Actual Rows": Schema.Number,
  "Actual Loops": Schema.Number,
  "Rows Removed by Filter": Schema.optional(Schema.Number),
  Plans: Schema.optional(Schema.Array(Schema.suspend((): Schema.Codec<PlanNode> => PlanNode)))
})

const Explained = Schema.Struct({
  "QUERY PLAN": Schema.NonEmptyArray(
    Schema.Struct({
      "Execution Time": Schema.Number,
      Plan: Schema.Struct({
        "Shared Hit Blocks": Schema.Number,
        "Shared Read Blocks": Schema.Number,
        "Actual Rows": Schema.Number,
        "Actual Loops": Schema.Number,
        Plans: Schema.Array(PlanNode)
      })
    })
  )
})

/** Rows of a table that a plan has read, whatever it made of them. */
const rowsOf = (table: string, node: PlanNode): number =>
  (node["Relation Name"] === table
    ? (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"]
    : 0) + (node.Plans ?? []).reduce((sum, child) => sum + rowsOf(table, child), 0)

/** What a call's statements cost: EXPLAIN of exactly what was sent, with the rows of one table that it read. */
export const costOf = Effect.fnUntraced(function* <A, E, R>(
  call: Effect.Effect<A, E, R>,
  table: "items" | "threads" = "items"
) {
  const sent: Array<readonly [string, ReadonlyArray<unknown>]> = []
  const result = yield* call.pipe(
    Effect.provideService(Statement.CurrentTransformer, (statement) =>
      Effect.sync(() => {
        sent.push(statement.compile())
        return statement
      })
    )
  )
  const sql = yield* SqlClient.SqlClient
  const [first] = sent
  if (first === undefined) return yield* Effect.die(new Error("nothing was sent"))
  const [row] = yield* sql.unsafe(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${first[0]}`, first[1])
  const [{ "Execution Time": ms, Plan }] = (yield* Schema.decodeUnknownEffect(Explained)(row))["QUERY PLAN"]
  const buffers = Plan["Shared Hit Blocks"] + Plan["Shared Read Blocks"]
  return { result, statements: sent.length, buffers, read: rowsOf(table, { ...Plan, "Rows Removed by Filter": 0 }), ms }
})
