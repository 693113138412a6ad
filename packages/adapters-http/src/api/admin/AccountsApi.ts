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
import { AdminAuthentication } from "../Authentication.ts"
import { dataBody, pageBody } from "../DataBody.ts"
import { errors, jsonErrors } from "../ErrorBody.ts"
import { listQuery, strictQuery } from "../ListQuery.ts"
import { AdminValidation } from "../Validation.ts"

const workspace = { id: Schema.String }
const managedUser = { id: Schema.String, external_user_id: Schema.String }
const account = { id: Schema.String, account_id: Schema.String }
const absent = errors("NOT_FOUND", "TEMPORARILY_UNAVAILABLE")

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
      .annotateMerge(
        OpenApi.annotations({
          summary: "List managed users, newest first",
          description: "The users of your product who own social accounts here."
        })
      ),
    HttpApiEndpoint.put("putManagedUser", "/managed-users/:external_user_id", {
      params: managedUser,
      payload: EmptyBody,
      success: [dataBody(ManagedUserBody), dataBody(ManagedUserBody, 201)],
      error: [...jsonErrors, ...absent]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Make a managed user (201), or find it known (200)",
        description: "The id is taken exactly as given. An account that names an owner makes it exist, too."
      })
    ),
    HttpApiEndpoint.get("findManagedUser", "/managed-users/:external_user_id", {
      params: managedUser,
      success: dataBody(ManagedUserBody),
      error: absent
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Read a managed user",
        description: "404 for one that nobody has made, and that no account has named."
      })
    ),
    HttpApiEndpoint.get("exportManagedUser", "/managed-users/:external_user_id/export", {
      params: managedUser,
      success: HttpApiSchema.StreamUint8Array({ contentType: "application/x-ndjson" }),
      error: absent
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Export everything that is kept of a managed user, as lines of JSON",
        description:
          'Each line is `{"type", "data"}`, with the data as its own endpoint shows it. The types, in this order: ' +
          "`managed_user`, `account`, `thread`, `item`, `note`, `saved_reply`, `operation` (a reply, with its `account_id`, `text` " +
          "and `media_ids`), `post`, `media` (what posts and replies use; `download_url` is good for 24 hours), " +
          '`webhook_endpoint`, `audit_event`. The last line is `{"type": "end", "lines": n}`, with how many came before it: a file without it ' +
          "is not whole. It is read as slowly as you read it. Each export is audited as `managed_user.exported`."
      })
    ),
    HttpApiEndpoint.delete("eraseManagedUser", "/managed-users/:external_user_id", {
      params: managedUser,
      success: HttpApiSchema.NoContent,
      error: absent
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Erase a managed user with its accounts and all their data",
        description: "Its items, threads and credentials are hidden at once, and removed for good."
      })
    ),
    HttpApiEndpoint.post("connect", "/social-accounts", {
      params: workspace,
      payload: NewAccountBody,
      success: dataBody(AccountBody, 201),
      error: [...jsonErrors, ...errors("ALREADY_EXISTS", "ACCOUNT_CHECK_FAILED"), ...absent]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Connect an account",
        description:
          "The network is asked whose the token is, except a simulated one, and unless `check` is false: 422 " +
          "`ACCOUNT_CHECK_FAILED` with the reason `token_invalid`, `other_account` or `network_unavailable`, and nothing " +
          "is stored. One that was disconnected within 7 days is revived: same id, items back."
      })
    ),
    HttpApiEndpoint.get("list", "/social-accounts", {
      params: workspace,
      query: listQuery,
      success: pageBody(AccountBody),
      error: absent
    })
      .annotate(HttpApi.QueryParseOptions, strictQuery)
      .annotateMerge(
        OpenApi.annotations({
          summary: "List accounts, newest first, disconnected ones included",
          description:
            "With `status`: `connected`, `reauth_required` where its token is no longer good, or `disconnected`."
        })
      ),
    HttpApiEndpoint.get("find", "/social-accounts/:account_id", {
      params: account,
      success: dataBody(AccountBody),
      error: absent
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Read an account",
        description: "Without its tokens; 404 for one that is disconnected."
      })
    ),
    HttpApiEndpoint.patch("update", "/social-accounts/:account_id", {
      params: account,
      payload: AccountChangeBody,
      success: dataBody(AccountBody),
      error: [...jsonErrors, ...errors("ACCOUNT_CHECK_FAILED"), ...absent]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Change or move an account",
        description:
          "Another owner sees its items at once. A new token is tried, unless `check` is false, and makes the account " +
          "connected again."
      })
    ),
    HttpApiEndpoint.delete("disconnect", "/social-accounts/:account_id", {
      params: account,
      success: HttpApiSchema.NoContent,
      error: absent
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Disconnect an account; its items are hidden, and erased after 7 days",
        description:
          "Its subscription and its token are taken back at its network as far as that works within a short time; it is " +
          "neither polled nor answered for any more. Connected again within 7 days it has the same id and its items."
      })
    ),
    HttpApiEndpoint.post("issueDashboardToken", "/dashboard-tokens", {
      params: workspace,
      payload: NewTokenBody,
      success: dataBody(TokenBody, 201),
      error: [...jsonErrors, ...absent]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Sign a dashboard token for development; only with the local issuer",
        description: "For trying the dashboard's side without an identity provider; 404 in a host that has one."
      })
    )
  )
  .prefix("/v1/admin/workspaces/:id")
  .middleware(AdminValidation)
  .middleware(AdminAuthentication)
  .annotate(
    OpenApi.Description,
    "Managed users, social accounts and dashboard tokens, for whoever runs the service."
  ) {}
