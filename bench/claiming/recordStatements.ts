import { ConversionStore } from "@loopbox/core/conversions/ConversionStore"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { claimed, makeOutput, makeQueued } from "@loopbox/testing/fixtures/storeFixtures"
import { Context, DateTime, Effect, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as Statement from "effect/sql/Statement"

interface SqlText {
  readonly text: string
  readonly values: ReadonlyArray<unknown>
}

/** Statements in their order: those of a transaction, or one that is sent by itself. */
export interface Unit {
  readonly isTransaction: boolean
  readonly statements: Array<SqlText>
}

/** What our store sends for one job from its claim to its success, and the names of that job in it. */
export interface Recording {
  readonly units: ReadonlyArray<Unit>
  readonly jobId: string
  readonly inputId: string
  readonly token: string
  readonly outputId: string
  /** When it was claimed; all moments in the statements are counted from there. */
  readonly at_ms: number
}

/** The statements that a call sends, as they are sent, and by transactions. */
const unitsOf = Effect.fnUntraced(function* <A, E, R>(call: Effect.Effect<A, E, R>) {
  const client = yield* SqlClient
  const units: Array<Unit> = []
  let open: unknown
  const answer = yield* call.pipe(
    Effect.provideService(Statement.CurrentTransformer, (statement, _sql, fiber) =>
      Effect.sync(() => {
        const [text, values] = statement.compile()
        const transaction = Option.getOrUndefined(Context.getOption(fiber.context, client.transactionService))
        const last = units.at(-1)
        if (last !== undefined && transaction !== undefined && open === transaction) {
          last.statements.push({ text, values })
        } else units.push({ isTransaction: transaction !== undefined, statements: [{ text, values }] })
        open = transaction
        return statement
      })
    )
  )
  return { answer, units }
})

/** Has one job claimed and settled, and writes down what is sent for it. */
export const recordStatements = Effect.fnUntraced(function* (workspaceId: WorkspaceId) {
  const store = yield* ConversionStore
  const now = yield* DateTime.now
  yield* makeQueued(workspaceId, now)
  const claim = yield* unitsOf(claimed(now))
  const output = yield* makeOutput(claim.answer)
  const success = yield* unitsOf(store.succeed(claim.answer, output, now))
  const recording: Recording = {
    units: [...claim.units, ...success.units],
    jobId: claim.answer.job.id,
    inputId: claim.answer.job.task.gifMediaId,
    token: claim.answer.token,
    outputId: output.id,
    at_ms: DateTime.toEpochMillis(now)
  }
  return recording
})
