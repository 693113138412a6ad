import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import type { JobKind } from "@loopbox/core/jobs/JobKind"
import type { NewJob, SubmitFacts } from "@loopbox/core/jobs/JobStore"
import { WorkspaceErased } from "@loopbox/core/media/MediaErrors"
import { anyOf, isKeptFile } from "../../rows/oneByOne.ts"
import { mediaColumns, MediaRow, toMedia } from "../../rows/MediaRow.ts"
import { all } from "../../rows/rows.ts"
import { makeAdmissionFacts } from "./admissionFacts.ts"

/** Reads what `submit` judges by; the caller holds the workspace's submit lock. */
export const makeSubmitFacts = Effect.fnUntraced(function* <Task, Code extends string>(kind: JobKind<Task, Code>) {
  const sql = yield* SqlClient
  const readAdmission = yield* makeAdmissionFacts

  const findInputs = ({ task, workspaceId }: NewJob<Task>) =>
    Effect.map(
      all(MediaRow)(sql`SELECT ${sql.literal(mediaColumns)} FROM media
        WHERE workspace_id = ${workspaceId} AND id = ${anyOf(sql, kind.inputsOf(task))} AND ${sql.literal(isKeptFile)}`),
      (rows) => new Map(rows.map((row) => [row.id, toMedia(row)]))
    )

  return Effect.fnUntraced(function* (made: NewJob<Task>) {
    const found = yield* readAdmission(made.workspaceId, made.createdAt)
    if (Option.isNone(found)) return yield* new WorkspaceErased()
    const facts: SubmitFacts = { ...found.value, inputs: yield* findInputs(made) }
    return facts
  })
})
