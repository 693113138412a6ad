import * as PgClient from "@effect/sql-pg/PgClient"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Statement } from "effect/sql"
import { makeRemembered } from "../../src/rows/rememberedStatement.ts"

const sql = Statement.make(Effect.die("nothing is sent"), PgClient.makeCompiler(), [], undefined)

const at = (year: number) => new Date(Date.UTC(year, 0, 1))

interface Asked {
  readonly user: string
  readonly sources: ReadonlyArray<string>
  readonly limit: number
  readonly before: Date
}

const statementOf = ({ before, limit, sources, user }: Asked) => sql`
  SELECT * FROM items WHERE user_id = ${user} AND source = ANY(${sources}::text[]) AND at < ${new Date(before)}
    AND user_id = ${user} AND bucket = ANY(${[0, limit]}) LIMIT ${limit}`

/** Makes statements as a list does, and counts those that were put together. */
const makeAsk = (make: (asked: Asked) => Statement.Statement<unknown>) => {
  const remembered = makeRemembered(sql)
  let made = 0
  return {
    made: () => made,
    ask: (asked: Asked) =>
      remembered(String(asked.limit), [asked.user, asked.sources, asked.before], () => {
        made += 1
        return make(asked)
      }).compile()
  }
}

const first: Asked = { user: "ann", sources: ["x_reply"], limit: 50, before: at(2024) }

describe("statements that are remembered", () => {
  it("have the text of the first one of their shape, and the values of their own", () => {
    const { ask, made } = makeAsk(statementOf)
    const all = [first, { ...first, user: "bob", sources: [], before: at(2025) }, first, { ...first, limit: 10 }]
    for (const asked of all) assert.deepStrictEqual(ask(asked), statementOf(asked).compile())
    assert.strictEqual(made(), 2)
  })

  it("are made anew where two values are alike, for nobody can tell which is which", () => {
    const alike = makeRemembered(sql)
    const make = (a: string, b: string) => alike("one shape", [a, b], () => sql`SELECT ${b}, ${a}`).compile()[1]
    assert.deepStrictEqual(make("same", "same"), ["same", "same"])
    assert.deepStrictEqual(make("a", "b"), ["b", "a"])
    assert.deepStrictEqual(make("c", "d"), ["d", "c"])
  })

  it("are made anew where a text is none of the values", () => {
    const { ask, made } = makeAsk(({ user }) => sql`SELECT ${user}, ${user.toUpperCase()}`)
    for (const user of ["ann", "bob"]) assert.deepStrictEqual(ask({ ...first, user })[1], [user, user.toUpperCase()])
    assert.strictEqual(made(), 2)
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
