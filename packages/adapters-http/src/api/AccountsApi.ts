import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import {
  AccountBody,
  AccountChangeBody,
  EmptyBody,
  ManagedUserBody,
  NewAccountBody,
  NewTokenBody,
  TokenBody
} from "./AccountBodies.ts"
import { AdminAuthentication } from "./Authentication.ts"
import { dataBody, pageBody } from "./DataBody.ts"
import { errorBody, jsonErrors } from "./ErrorBody.ts"
import { listQuery, strictQuery } from "./ListQuery.ts"
import { AdminValidation } from "./Validation.ts"

const workspace = { id: Schema.String }
const managedUser = { id: Schema.String, external_user_id: Schema.String }
const account = { id: Schema.String, account_id: Schema.String }
const absent = [errorBody(404, ["NOT_FOUND"]), errorBody(503, ["TEMPORARILY_UNAVAILABLE"])] as const

/** The part of `/v1/admin/*` that the inbox needs (api.md §8); 404 in a host without an admin token. */
export class AccountsApi extends HttpApiGroup.make("accounts")
  .add(
    HttpApiEndpoint.get("listManagedUsers", "/managed-users", {
      params: workspace,
      query: listQuery,
      success: pageBody(ManagedUserBody),
      error: absent
    })
      .annotate(HttpApi.QueryParseOptions, strictQuery)
      .annotate(OpenApi.Summary, "List managed users, newest first"),
    HttpApiEndpoint.put("putManagedUser", "/managed-users/:external_user_id", {
      params: managedUser,
      payload: EmptyBody,
      success: [dataBody(ManagedUserBody), dataBody(ManagedUserBody, 201)],
      error: [...jsonErrors, ...absent]
    }).annotate(OpenApi.Summary, "Make a managed user (201), or find it known (200)"),
    HttpApiEndpoint.get("findManagedUser", "/managed-users/:external_user_id", {
      params: managedUser,
      success: dataBody(ManagedUserBody),
      error: absent
    }).annotate(OpenApi.Summary, "Read a managed user"),
    HttpApiEndpoint.delete("eraseManagedUser", "/managed-users/:external_user_id", {
      params: managedUser,
      success: HttpApiSchema.NoContent,
      error: absent
    }).annotate(OpenApi.Summary, "Erase a managed user with its accounts and all their data"),
    HttpApiEndpoint.post("connect", "/social-accounts", {
      params: workspace,
      payload: NewAccountBody,
      success: dataBody(AccountBody, 201),
      error: [...jsonErrors, errorBody(409, ["ALREADY_EXISTS"]), ...absent]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Connect an account",
        description: "Its tokens aren't tried. One that was disconnected within 7 days is revived: same id, items back."
      })
    ),
    HttpApiEndpoint.get("list", "/social-accounts", {
      params: workspace,
      query: listQuery,
      success: pageBody(AccountBody),
      error: absent
    })
      .annotate(HttpApi.QueryParseOptions, strictQuery)
      .annotate(OpenApi.Summary, "List accounts, newest first, disconnected ones included"),
    HttpApiEndpoint.patch("update", "/social-accounts/:account_id", {
      params: account,
      payload: AccountChangeBody,
      success: dataBody(AccountBody),
      error: [...jsonErrors, ...absent]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Change or move an account",
        description: "Another owner sees its items at once; a new token makes it connected again."
      })
    ),
    HttpApiEndpoint.delete("disconnect", "/social-accounts/:account_id", {
      params: account,
      success: HttpApiSchema.NoContent,
      error: absent
    }).annotate(OpenApi.Summary, "Disconnect an account; its items are hidden, and erased after 7 days"),
    HttpApiEndpoint.post("issueDashboardToken", "/dashboard-tokens", {
      params: workspace,
      payload: NewTokenBody,
      success: dataBody(TokenBody, 201),
      error: [...jsonErrors, ...absent]
    }).annotate(OpenApi.Summary, "Sign a dashboard token for development; only with the local issuer")
  )
  .prefix("/v1/admin/workspaces/:id")
  .middleware(AdminValidation)
  .middleware(AdminAuthentication)
  .annotate(
    OpenApi.Description,
    "Managed users, social accounts and dashboard tokens, for whoever runs the service."
  ) {}
