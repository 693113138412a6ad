import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { UsageStore } from "@loopbox/core/usage/UsageStore"
import { firstHour, usageWindow } from "@loopbox/core/usage/usageWindow"
import { makeStoreCall } from "../../connection/storeFailure.ts"
import { at, one } from "../../rows/rows.ts"
import { makeAdmissionFacts } from "../media/admissionFacts.ts"

const UsedRow = Schema.Struct({ items: Schema.Finite, posts: Schema.Finite, bytes: Schema.Finite })

export const layer: Layer.Layer<UsageStore, never, SqlClient> = Layer.effect(
  UsageStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const storeCall = yield* makeStoreCall
    const readAdmission = yield* makeAdmissionFacts

    /** Of items at most 721 rows of hours are read; of posts and files only entries of an index. */
    const readUsed = (workspaceId: WorkspaceId, now: DateTime.Utc) =>
      one(UsedRow)(sql`SELECT
        (SELECT coalesce(sum(items), 0)::float8 FROM item_hours
          WHERE workspace_id = ${workspaceId} AND hour >= ${at(firstHour(now))}) AS items,
        (SELECT count(*)::float8 FROM posts
          WHERE workspace_id = ${workspaceId} AND created_at > ${at(DateTime.subtract(now, usageWindow))}) AS posts,
        (SELECT coalesce(sum(size_bytes), 0)::float8 FROM media
          WHERE workspace_id = ${workspaceId} AND deleted_at IS NULL) AS bytes`)

    return UsageStore.of({
      read: Effect.fn("PgUsageStore.read")(
        function* (workspaceId, now) {
          const found = yield* readAdmission(workspaceId, now)
          if (Option.isNone(found)) return Option.none()
          const { bytes, items, posts } = yield* readUsed(workspaceId, now)
          return Option.some({ ...found.value, items, posts, storageBytes: bytes })
        },
        storeCall("usage.read", "no")
      )
    })
  })
)
