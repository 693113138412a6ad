import { AccountStatus } from "@loopbox/core/accounts/SocialAccount"
import { KnownNetwork } from "@loopbox/core/networks/known"
import * as Schema from "effect/Schema"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { dataBody, pageBody } from "../DataBody.ts"
import { errorAt, errors, jsonErrors } from "../ErrorBody.ts"
import { optionalScopeQuery, scopeHeaders } from "../inbox/InboxQuery.ts"
import { listQuery, strictQuery } from "../ListQuery.ts"
import { InboxValidation } from "../Validation.ts"
import { AccountsAuthorization } from "./AccountsAuthorization.ts"
import { ConnectedAccountBody } from "./ConnectedAccountBody.ts"
import { ConnectSessionBody, ReconnectBody } from "./ConnectBodies.ts"

const params = { id: Schema.String }
const scope = { query: optionalScopeQuery, headers: scopeHeaders }
const unavailable = errors("TEMPORARILY_UNAVAILABLE")
const absent = errors("NOT_FOUND", "TEMPORARILY_UNAVAILABLE")

/** `/v1/accounts` (api-2.md §11). */
export class ConnectedAccountsApi extends HttpApiGroup.make("connectedAccounts")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...optionalScopeQuery,
        ...listQuery,
        network: Schema.optionalKey(KnownNetwork),
        status: Schema.optionalKey(AccountStatus)
      },
      headers: scopeHeaders,
      success: pageBody(ConnectedAccountBody),
      error: unavailable
    })
      .annotate(HttpApi.QueryParseOptions, strictQuery)
      .annotateMerge(
        OpenApi.annotations({
          summary: "List connected accounts, newest first, with their health",
          description: "Accounts that were disconnected within 7 days are listed, too, as `disconnected`."
        })
      ),
    HttpApiEndpoint.get("find", "/:id", {
      ...scope,
      params,
      success: dataBody(ConnectedAccountBody),
      error: absent
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Read an account with its health",
        description: "What is wrong with it, what a person can do about it, and when a machine tries again."
      })
    ),
    HttpApiEndpoint.post("check", "/:id/check", {
      ...scope,
      params,
      success: dataBody(ConnectedAccountBody),
      error: [...absent, ...errors("ACCOUNT_DISCONNECTED", "PLATFORM_RATE_LIMITED"), errorAt(502, "PLATFORM_ERROR")]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Ask the network now how an account is",
        description:
          "Who it is, what its token may do, and whether its webhooks are subscribed, which is mended. A dead token is no " +
          "error but an answer: the account is `reauth_required`. A body is ignored."
      })
    ),
    HttpApiEndpoint.post("reconnect", "/:id/reconnect", {
      ...scope,
      params,
      payload: ReconnectBody,
      success: dataBody(ConnectSessionBody, 201),
      error: [...jsonErrors, ...errors("NETWORK_NOT_CONFIGURED"), ...absent]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Let a person connect an account again",
        description: "The same as a connect session with its `social_account_id`. The body may be left out."
      })
    ),
    HttpApiEndpoint.delete("disconnect", "/:id", {
      ...scope,
      params,
      success: HttpApiSchema.NoContent,
      error: absent
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Disconnect an account",
        description:
          "Its webhooks are unsubscribed and its token is revoked, as far as the network can. Its items are hidden, and " +
          "erased after 7 days; connected again before that it has the same id and its items. 204 also the second time."
      })
    )
  )
  .prefix("/v1/accounts")
  .middleware(InboxValidation)
  .middleware(AccountsAuthorization)
  .annotate(OpenApi.Description, "The social accounts that are connected, and how well they are.") {}
