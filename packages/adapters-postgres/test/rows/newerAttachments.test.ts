import { InboxStore, noFilter } from "@loopbox/core/inbox/InboxStore"
import { noThreadFilter, ThreadStore } from "@loopbox/core/threads/ThreadStore"
import { posted } from "@loopbox/testing/fixtures/activities"
import { connect, inboxWorld, ingest, makeInboxWorkspace, scopeOf } from "@loopbox/testing/fixtures/inboxFixtures"
import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { layerStores } from "../testDatabase.ts"

const page = { limit: 20, after: Option.none() }

layer(inboxWorld(layerStores()), { excludeTestServices: true })("an attachment of a newer version", (it) => {
  it.effect("is one that is not supported, and its item is listed, found and ingested again", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const inbox = yield* InboxStore
      const threads = yield* ThreadStore
      const { id } = yield* makeInboxWorkspace()
      const account = yield* connect(id)
      const scope = scopeOf(id)
      const newer = posted({ externalId: "newer" })
      yield* ingest(account, [newer, posted({ externalId: "known" })])
      const attachments = JSON.stringify([{ type: "hologram", url: "https://files.example/1" }])
      yield* sql`UPDATE items SET attachments = ${attachments}::jsonb
        WHERE workspace_id = ${id} AND external_id = 'newer'`
      const { items } = yield* inbox.list(scope, { ...noFilter, ...page })
      assert.strictEqual(items.length, 2)
      const item = items.find(({ externalId }) => externalId === "newer")
      assert.deepStrictEqual(item?.attachments, [{ type: "unsupported", url: "https://files.example/1" }])
      yield* threads.list(scope, { ...noThreadFilter, ...page })
      if (item !== undefined) assert.isTrue(Option.isSome(yield* inbox.find(scope, item.id)))
      yield* ingest(account, [newer])
    })
  )
})
