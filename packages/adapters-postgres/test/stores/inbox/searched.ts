import { parseSearch } from "@loopbox/core/search/SearchQuery"
import { connect, makeInboxWorkspace, scopeOf } from "@loopbox/testing/fixtures/inboxFixtures"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const asked = (q: string) => ({ search: parseSearch(q) })

/** A workspace with an account whose items are searched. */
export const world = Effect.gen(function* () {
  const { id } = yield* makeInboxWorkspace()
  return { id, account: yield* connect(id), scope: scopeOf(id), sql: yield* SqlClient.SqlClient }
})
