import { allFeatures } from "@loopbox/core/networks/Feature"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CurrentScope } from "../../api/accounts/AccountsAuthorization.ts"
import { NewConnectSessionBody } from "../../api/accounts/ConnectBodies.ts"
import { Api } from "../../api/Api.ts"
import { readJson } from "../edge/readJson.ts"
import { createSessionRefusals, findSessionRefusals } from "./accountsRefusals.ts"
import { makeAnswerSession } from "./sessionAnswer.ts"
import { connectSessions } from "./connectingOrNone.ts"

const toRequest = (body: typeof NewConnectSessionBody.Type) => ({
  network: body.network,
  externalUserId: Option.fromNullishOr(body.external_user_id),
  returnUrl: Option.fromNullishOr(body.return_url),
  features: Array.from(new Set(body.features ?? allFeatures)),
  socialAccountId: Option.fromNullishOr(body.social_account_id)
})

export const layer = HttpApiBuilder.group(
  Api,
  "connect",
  Effect.fnUntraced(function* (handlers) {
    const sessions = yield* connectSessions
    const answerSession = yield* makeAnswerSession
    return handlers
      .handleRaw(
        "createSession",
        Effect.fnUntraced(function* () {
          const caller = yield* CurrentScope
          const request = toRequest(yield* readJson(NewConnectSessionBody))
          return yield* answerSession(caller, yield* sessions.create(caller.scope, request))
        }, Effect.catchTags(createSessionRefusals))
      )
      .handleAll({
        findSession: Effect.fnUntraced(function* ({ params }) {
          const caller = yield* CurrentScope
          return yield* answerSession(caller, yield* sessions.find(caller.scope, params.id))
        }, Effect.catchTags(findSessionRefusals))
      })
  })
)
