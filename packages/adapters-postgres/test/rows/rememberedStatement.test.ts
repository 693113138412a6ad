import * as PgClient from "@effect/sql-pg/PgClient"
import { ManagedUserScope, WorkspaceScope } from "@loopbox/core/access/InboxScope"
import { WorkspaceId } from "@loopbox/core/kernel/Ids"
import type { Source } from "@loopbox/core/networks/Source"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Statement } from "effect/sql"
import { makeRememberedPages } from "../../src/rows/rememberedStatement.ts"

const sql = Statement.make(Effect.die("nothing is sent"), PgClient.makeCompiler(), [], undefined)

const at = (year: number) => new Date(Date.UTC(year, 0, 1))

interface Asked {
  readonly user: string
  readonly sources: ReadonlyArray<Source>
  readonly limit: number
  readonly before: Date
}

const workspaceId = WorkspaceId.make(`ws_${"0".repeat(26)}`)

const planOf = ({ limit, sources, user }: Asked) => ({
  scope: {
    scope:
      user === "" ? new WorkspaceScope({ workspaceId }) : new ManagedUserScope({ workspaceId, externalUserId: user }),
    sources: new Set(sources)
  },
  sources,
  networks: sources.map((source) => `network of ${source}`),
  query: { limit }
})

type Plan = ReturnType<typeof planOf>

const named = ({ scope: { scope } }: Plan) => (scope._tag === "ManagedUserScope" ? scope.externalUserId : "nobody")

const statementOf = (plan: Plan, before: Date) => sql`
  SELECT * FROM items WHERE user_id = ${named(plan)} AND source = ANY(${plan.sources}::text[]) AND at < ${new Date(before)}
    AND user_id = ${named(plan)} AND bucket = ANY(${[0, plan.query.limit]}) LIMIT ${plan.query.limit}`

/** Makes statements as a list does, and counts those that were put together. */
const makeAsk = (make: (plan: Plan, before: Date) => Statement.Statement<unknown>) => {
  let made = 0
  let before = at(2024)
  const remembered = makeRememberedPages(sql, (plan: Plan) => {
    made += 1
    return make(plan, before)
  })
  return {
    made: () => made,
    ask: (asked: Asked) => {
      before = asked.before
      return remembered(planOf(asked), [asked.before]).compile()
    }
  }
}

const first: Asked = { user: "ann", sources: ["x_reply"], limit: 50, before: at(2024) }

describe("statements that are remembered", () => {
  it("have the text of the first one of their shape, and the values of their own", () => {
    const { ask, made } = makeAsk(statementOf)
    for (const asked of [
      first,
      { ...first, user: "bob", before: at(2025) },
      first,
      { ...first, limit: 10 },
      { ...first, sources: ["x_reply", "ig_dm"] } satisfies Asked
    ]) {
      assert.deepStrictEqual(ask(asked), statementOf(planOf(asked), asked.before).compile())
    }
    assert.strictEqual(made(), 3)
  })

  it("are made anew where a text is none of the values, even if it is the name of who asked first", () => {
    const make = (plan: Plan) => sql`SELECT ${named(plan)}, ${"open"}`
    const { ask, made } = makeAsk(make)
    for (const user of ["open", "bob", "ann"]) {
      assert.deepStrictEqual(ask({ ...first, user })[1], [user, "open"])
    }
    assert.isAbove(made(), 3)
  })

  it("are made anew where a text is made of a value", () => {
    const { ask } = makeAsk((plan) => sql`SELECT ${named(plan)}, ${named(plan).toUpperCase()}`)
    for (const user of ["ann", "bob"]) assert.deepStrictEqual(ask({ ...first, user })[1], [user, user.toUpperCase()])
  })

  it("are a bounded number of texts", () => {
    const { ask, made } = makeAsk(statementOf)
    for (let limit = 1; limit <= 200; limit++) ask({ ...first, limit })
    ask({ ...first, limit: 1 })
    assert.strictEqual(made(), 201)
    ask({ ...first, limit: 200 })
    assert.strictEqual(made(), 201)
  })
})
