import * as SocialNetworks from "@loopbox/adapters-social/socialNetworks"
import { PgAdapters } from "@loopbox/adapters-postgres"
import { ManagedUserScope } from "@loopbox/core/access/InboxScope"
import { ApiKeys } from "@loopbox/core/workspaces/ApiKeys"
import { idOfKeyText } from "@loopbox/core/workspaces/keyText"
import { ManagedUsers } from "@loopbox/core/workspaces/ManagedUsers"
import { sources } from "@loopbox/adapters-social/names"
import { InboxStore, noFilter } from "@loopbox/core/inbox/InboxStore"
import { parseSearch } from "@loopbox/core/search/SearchQuery"
import { noThreadFilter, ThreadStore } from "@loopbox/core/threads/ThreadStore"
import { Effect, Layer, Option } from "effect"
import * as Statement from "effect/sql/Statement"
import { busy, rich } from "../packages/adapters-postgres/test/stores/inbox/manyItems.ts"

export interface SqlText {
  readonly text: string
  readonly values: ReadonlyArray<unknown>
}

/** The path of a list. */
export type List = "/v1/inbox" | "/v1/inbox/threads"

/** The statements of one list request, in their order: who calls, whose inbox, its page. */
export interface ListStatements {
  /** What is found stands in the first rows of all of them. */
  readonly key: ReadonlyArray<SqlText>
  readonly user: SqlText
  /** One, or those of a transaction: rows of any of them that are matches are on the page. */
  readonly page: ReadonlyArray<SqlText>
}

/** The statements that a call sends, exactly as they are sent. */
export const statementsOf = Effect.fnUntraced(function* <A, E, R>(call: Effect.Effect<A, E, R>) {
  const sent: Array<SqlText> = []
  yield* call.pipe(
    Effect.provideService(Statement.CurrentTransformer, (statement) =>
      Effect.sync(() => {
        const [text, values] = statement.compile()
        sent.push({ text, values })
        return statement
      })
    )
  )
  return sent
})

export const statementOf = Effect.fnUntraced(function* <A, E, R>(call: Effect.Effect<A, E, R>) {
  const [only, ...more] = yield* statementsOf(call)
  if (only === undefined || more.length > 0) return yield* Effect.die(new Error(`${more.length + 1} statements`))
  return only
})

/** Those that find a key's holder, as with each request but a key's first. */
export const statementsOfKey = (keys: ApiKeys["Service"], text: string) => {
  const find = keys.findHolder(Option.getOrThrow(idOfKeyText(text)))
  return Effect.andThen(find, statementsOf(find))
}

export const listStatements = (
  target: PgAdapters.Target,
  {
    key,
    limit,
    list,
    q
  }: { readonly key: string; readonly limit: number; readonly list: List; readonly q: string | undefined }
): Promise<ListStatements> =>
  Effect.gen(function* () {
    const [keys, users] = [yield* ApiKeys, yield* ManagedUsers]
    const [items, threads] = [yield* InboxStore, yield* ThreadStore]
    const scope = {
      scope: new ManagedUserScope({ workspaceId: busy, externalUserId: rich }),
      sources: new Set(sources)
    }
    const search = Option.flatMap(Option.fromUndefinedOr(q), parseSearch)
    return {
      key: yield* statementsOfKey(keys, key),
      user: yield* statementOf(users.find(busy, rich)),
      page: yield* list === "/v1/inbox"
        ? statementsOf(items.list(scope, { ...noFilter, limit, after: Option.none(), search }))
        : statementsOf(threads.list(scope, { ...noThreadFilter, limit, after: Option.none(), search }))
    }
  }).pipe(
    Effect.provide(PgAdapters.layerTarget(target, { migrate: false }).pipe(Layer.provideMerge(SocialNetworks.layer))),
    Effect.runPromise
  )
