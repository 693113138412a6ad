import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { dataBody } from "../DataBody.ts"
import { errors, jsonErrors } from "../ErrorBody.ts"
import { optionalScopeQuery, scopeHeaders } from "../inbox/InboxQuery.ts"
import { InboxValidation } from "../Validation.ts"
import { AccountsAuthorization } from "./AccountsAuthorization.ts"
import { ConnectSessionBody, NewConnectSessionBody } from "./ConnectBodies.ts"

const scope = { query: optionalScopeQuery, headers: scopeHeaders }
const absent = errors("NOT_FOUND", "TEMPORARILY_UNAVAILABLE")

/** `/v1/connect/sessions` (api-2.md §11). */
export class ConnectApi extends HttpApiGroup.make("connect")
  .add(
    HttpApiEndpoint.post("createSession", "/sessions", {
      ...scope,
      payload: NewConnectSessionBody,
      success: dataBody(ConnectSessionBody, 201),
      error: [...jsonErrors, ...errors("NETWORK_NOT_CONFIGURED"), ...absent]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Let a person connect an account",
        description:
          "Send the person's browser to `url`, within 30 minutes. It goes to the network, and then to `return_url` or to a " +
          "page of Loopbox. A person who refused, or who met an error, may open the same `url` again. With " +
          "`social_account_id` an account is connected again, and no other is taken in its place."
      })
    ),
    HttpApiEndpoint.get("findSession", "/sessions/:id", {
      ...scope,
      params: { id: Schema.String },
      success: dataBody(ConnectSessionBody),
      error: absent
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Read what became of a session",
        description:
          "Its status goes from `pending` by `choosing`, where a person chooses among several accounts, to `completed`, " +
          "`denied`, `failed` or `expired`. A denied or failed one may still be completed until it expires."
      })
    )
  )
  .prefix("/v1/connect")
  .middleware(InboxValidation)
  .middleware(AccountsAuthorization)
  .annotate(OpenApi.Description, "Sessions in which people connect their social accounts.") {}
