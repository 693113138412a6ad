import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { MediaContext } from "@loopbox/core/networks/MediaContext"
import { MediaContextStore } from "@loopbox/core/inbox/MediaContextStore"
import { at, first, Instant, optional } from "../../rows/rows.ts"
import { makeStoreCall } from "../../connection/storeFailure.ts"
import { storable, toJson } from "../../rows/text.ts"

const Stored = Schema.toCodecJson(MediaContext)
const ContextRow = Schema.Struct({ context: optional(Stored), fetched_at: Instant })
const encode = Schema.encodeEffect(Stored)

export const layer: Layer.Layer<MediaContextStore, never, SqlClient> = Layer.effect(
  MediaContextStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const storeCall = yield* makeStoreCall
    return MediaContextStore.of({
      find: Effect.fn("PgMediaContextStore.find")(
        function* ({ accountId, postId, workspaceId }) {
          const row = yield* first(ContextRow)(sql`SELECT context, fetched_at FROM media_contexts
            WHERE workspace_id = ${workspaceId} AND account_id = ${accountId} AND post_id = ${storable(postId)}`)
          return Option.map(row, ({ context, fetched_at: fetchedAt }) => ({ context, fetchedAt }))
        },
        storeCall("mediaContexts.find", "no")
      ),
      put: Effect.fn("PgMediaContextStore.put")(
        function* ({ accountId, postId, workspaceId }, { context, fetchedAt }) {
          const json = Option.isSome(context) ? toJson(yield* encode(context.value)) : null
          yield* sql`
            INSERT INTO media_contexts AS c (workspace_id, account_id, post_id, context, fetched_at)
            SELECT a.workspace_id, a.id, ${storable(postId)}, ${json}::jsonb, ${at(fetchedAt)}
            FROM social_accounts a
            WHERE a.workspace_id = ${workspaceId} AND a.id = ${accountId} AND a.status <> 'disconnected'
            ON CONFLICT (workspace_id, account_id, post_id) DO UPDATE
            SET context = excluded.context, fetched_at = excluded.fetched_at
            WHERE c.fetched_at <= excluded.fetched_at`
        },
        storeCall("mediaContexts.put", "unknown")
      )
    })
  })
)
