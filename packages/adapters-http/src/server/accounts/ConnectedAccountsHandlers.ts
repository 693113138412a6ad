import type { ScopedCaller } from "@loopbox/core/access/EntitledCaller"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CurrentScope } from "../../api/accounts/AccountsAuthorization.ts"
import { toConnectedAccountBody } from "../../api/accounts/ConnectedAccountBody.ts"
import { ReconnectBody } from "../../api/accounts/ConnectBodies.ts"
import { Api } from "../../api/Api.ts"
import { answerPage, Cursors } from "../edge/Cursors.ts"
import { listUse, scopeText } from "../edge/listUse.ts"
import { readOptionalJson } from "../edge/readJson.ts"
import { answer } from "../edge/refuse.ts"
import { accountRefusals, checkRefusals, createSessionRefusals, listRefusals } from "./accountsRefusals.ts"
import { makeAnswerSession } from "./sessionAnswer.ts"
import { connectedAccounts, connectSessions } from "./connectingOrNone.ts"

/** A cursor is good for its scope and its filters. */
const useOf = ({ scope }: ScopedCaller, query: object) =>
  listUse("accounts", scope.workspaceId, query, [
    scopeText(scope._tag === "WorkspaceScope" ? undefined : scope.externalUserId)
  ])

const given = <A>(value: A | undefined): ReadonlySet<A> => new Set(value === undefined ? [] : [value])

export const layer = HttpApiBuilder.group(
  Api,
  "connectedAccounts",
  Effect.fnUntraced(function* (handlers) {
    const accounts = yield* connectedAccounts
    const sessions = yield* connectSessions
    const cursors = yield* Cursors
    const answerSession = yield* makeAnswerSession
    return handlers
      .handleRaw(
        "reconnect",
        Effect.fnUntraced(function* ({ params }) {
          const caller = yield* CurrentScope
          // Before the body is looked at: another's account is absent, whatever is asked of it (api.md §2).
          const account = yield* accounts.find(caller.scope, params.id)
          const body = yield* readOptionalJson(ReconnectBody)
          const linked = yield* sessions.create(caller.scope, {
            network: account.network,
            externalUserId: Option.none(),
            returnUrl: Option.flatMap(body, ({ return_url }) => Option.fromNullishOr(return_url)),
            features: [],
            socialAccountId: Option.some(account.id)
          })
          return yield* answerSession(caller, linked)
        }, Effect.catchTags(createSessionRefusals))
      )
      .handleAll({
        list: Effect.fnUntraced(function* ({ query }) {
          const caller = yield* CurrentScope
          const filter = { networks: given(query.network), statuses: given(query.status) }
          return yield* answerPage(
            cursors,
            useOf(caller, query),
            query,
            (page) => accounts.list(caller.scope, filter, page),
            toConnectedAccountBody
          )
        }, Effect.catchTags(listRefusals)),
        find: Effect.fnUntraced(function* ({ params }) {
          const { scope } = yield* CurrentScope
          return yield* answer(toConnectedAccountBody(yield* accounts.find(scope, params.id)))
        }, Effect.catchTags(accountRefusals)),
        check: Effect.fnUntraced(function* ({ params }) {
          const { scope } = yield* CurrentScope
          return yield* answer(toConnectedAccountBody(yield* accounts.check(scope, params.id)))
        }, Effect.catchTags(checkRefusals)),
        disconnect: Effect.fnUntraced(function* ({ params }) {
          const { scope } = yield* CurrentScope
          yield* accounts.disconnect(scope, params.id)
        }, Effect.catchTags(accountRefusals))
      })
  })
)
