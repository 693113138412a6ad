import { AuthorProfiles } from "@loopbox/core/inbox/AuthorProfiles"
import { PollStore } from "@loopbox/core/sync/PollStore"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { SocialAccountId } from "@loopbox/core/kernel/Ids"
import { noon } from "@loopbox/testing/fixtures/activities"
import { connect, makeInboxWorkspace } from "@loopbox/testing/fixtures/inboxFixtures"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { findCostly, oneConnection } from "../rowsRead.ts"
import { fillSyncs } from "./syncRows.ts"
import { testDatabase } from "../../testDatabase.ts"

const count = 8_000
const later = DateTime.add(noon, { hours: 2 })
const request = { limit: 8, leaseNow: later, leaseUntil: DateTime.add(later, { minutes: 1 }) }

/** Many accounts beside the one that is given, all due, and of each an author whose name nobody knows. */
const fill = Effect.fnUntraced(function* (accountId: string, status: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO social_accounts
      (workspace_id, id, network, network_account_id, name, status, permissions, created_at)
    SELECT a.workspace_id, 'acc_0' || lpad(to_hex(n), 25, '0'), a.network, 'n' || n, '', ${status}::text, '[]', a.created_at
    FROM social_accounts a, generate_series(1, ${count}::int) n WHERE a.id = ${accountId}`
  yield* sql`INSERT INTO account_polls (workspace_id, account_id, network, due_at, wake_at)
    SELECT workspace_id, id, network, created_at, created_at FROM social_accounts WHERE id <> ${accountId}`
  yield* sql`INSERT INTO author_profiles (workspace_id, account_id, person_id, source, claimable_at)
    SELECT workspace_id, id, 'ann', 'ig_dm', created_at FROM social_accounts`
  for (const table of ["social_accounts", "account_polls", "author_profiles", "sync_tasks"]) {
    yield* sql`ANALYZE ${sql(table)}`
  }
})

const world = Effect.gen(function* () {
  const { id } = yield* makeInboxWorkspace()
  return yield* connect(id, { at: noon })
})

const tables = ["account_polls", "social_accounts", "author_profiles"]

describe("a queue of which most is not for anybody (store H6)", () => {
  it.effect("gives the accounts that somebody asked for without a look at those that are due", () =>
    Effect.gen(function* () {
      // Counted by one server: a distributed database's rows are read on others.
      const target = yield* testDatabase("alone")
      const [claimed, found] = yield* Effect.gen(function* () {
        const polls = yield* PollStore
        const account = yield* world
        yield* fillSyncs(account)
        yield* fill(account.id, "connected")
        const asked = { ...request, network: account.network, isAutomatic: false, now: later }
        const claimed = yield* polls.claim({ ...asked, token: "t" })
        const idle = polls.claim({ ...asked, token: "u" })
        return [claimed.map((claim) => claim.accountId === account.id), yield* findCostly(tables, { idle })]
      }).pipe(Effect.provide(oneConnection(target, "auto")))
      assert.deepStrictEqual([claimed, found], [[true], []])
    })
  )

  it.effect("puts off the authors of accounts that are not connected, until a while later", () =>
    Effect.gen(function* () {
      // Counted by one server: a distributed database's rows are read on others.
      const target = yield* testDatabase("alone")
      yield* Effect.gen(function* () {
        const profiles = yield* AuthorProfiles
        const account = yield* world
        yield* fill(account.id, "reauth_required")
        const claim = (minutes: number) =>
          profiles.claim({ ...request, token: `t${minutes}`, leaseNow: DateTime.add(later, { minutes }) })
        const [first] = yield* claim(0)
        assert.strictEqual(first?.accountId, account.id)
        const sql = yield* SqlClient.SqlClient
        // As autovacuum does after so many changes.
        yield* sql`ANALYZE author_profiles`
        assert.deepStrictEqual(yield* findCostly(tables, { idle: claim(0) }), [])
        // Its author is looked up as soon as the account has new credentials, and those of the others within a day.
        const [other] = yield* sql<{
          readonly id: string
        }>`SELECT id FROM social_accounts WHERE id <> ${account.id} LIMIT 1`
        const id = SocialAccountId.make(other?.id ?? "")
        const credentials = { sealed: "new", expiresAt: Option.none() }
        yield* (yield* SocialAccounts).update(account.workspaceId, id, { credentials }, later)
        assert.deepStrictEqual(
          (yield* claim(1)).flatMap(({ accountId }) => (accountId === account.id ? [] : [accountId])),
          [id]
        )
        yield* sql`UPDATE social_accounts SET status = 'connected'`
        // Those two, whose leases are over.
        assert.strictEqual((yield* claim(10)).length, 2)
        assert.strictEqual((yield* claim(24 * 60 + 1)).length, 8)
      }).pipe(Effect.provide(oneConnection(target, "auto")))
    })
  )
})
