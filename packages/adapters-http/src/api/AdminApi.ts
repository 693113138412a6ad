import * as Schema from "effect/Schema"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import {
  AdvanceBody,
  ApiKeyBody,
  IssuedKeyBody,
  MemberBody,
  NewApiKeyBody,
  NewWorkspaceBody,
  RoleBody,
  WorkspaceBody,
  WorkspaceChangeBody
} from "./AdminBodies.ts"
import { AdminAuthentication } from "./Authentication.ts"
import { dataBody, pageBody, Time } from "./DataBody.ts"
import { errorBody, jsonErrors } from "./ErrorBody.ts"
import { listQuery, strictQuery } from "./ListQuery.ts"
import { AdminValidation } from "./Validation.ts"

const workspace = { id: Schema.String }
const member = { id: Schema.String, user_id: Schema.String }
const apiKey = { id: Schema.String, key_id: Schema.String }

const unavailable = errorBody(503, ["TEMPORARILY_UNAVAILABLE"])
const absent = [errorBody(404, ["NOT_FOUND"]), unavailable] as const

/** `/v1/admin/*` (api.md §8); every route is 404 in a host without an admin token. */
export class AdminApi extends HttpApiGroup.make("admin")
  .add(
    HttpApiEndpoint.post("createWorkspace", "/workspaces", {
      payload: NewWorkspaceBody,
      success: dataBody(WorkspaceBody, 201),
      error: [...jsonErrors, unavailable]
    }).annotate(OpenApi.Summary, "Make a workspace"),
    HttpApiEndpoint.get("listWorkspaces", "/workspaces", {
      query: listQuery,
      success: pageBody(WorkspaceBody),
      error: unavailable
    })
      .annotate(HttpApi.QueryParseOptions, strictQuery)
      .annotate(OpenApi.Summary, "List workspaces, newest first"),
    HttpApiEndpoint.get("findWorkspace", "/workspaces/:id", {
      params: workspace,
      success: dataBody(WorkspaceBody),
      error: absent
    }).annotate(OpenApi.Summary, "Read a workspace"),
    HttpApiEndpoint.patch("updateWorkspace", "/workspaces/:id", {
      params: workspace,
      payload: WorkspaceChangeBody,
      success: dataBody(WorkspaceBody),
      error: [...jsonErrors, ...absent]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Change a workspace",
        description: "`limits` merges; null clears one. Only an enterprise workspace has limits of its own."
      })
    ),
    HttpApiEndpoint.delete("eraseWorkspace", "/workspaces/:id", {
      params: workspace,
      success: HttpApiSchema.NoContent,
      error: absent
    }).annotate(OpenApi.Summary, "Erase a workspace with all its data"),
    HttpApiEndpoint.put("setMember", "/workspaces/:id/members/:user_id", {
      params: member,
      payload: RoleBody,
      success: [dataBody(MemberBody), dataBody(MemberBody, 201)],
      error: [...jsonErrors, ...absent]
    }).annotate(OpenApi.Summary, "Add a member (201), or change one's role (200)"),
    HttpApiEndpoint.delete("removeMember", "/workspaces/:id/members/:user_id", {
      params: member,
      success: HttpApiSchema.NoContent,
      error: absent
    }).annotate(OpenApi.Summary, "Remove a member"),
    HttpApiEndpoint.post("issueKey", "/workspaces/:id/api-keys", {
      params: workspace,
      payload: NewApiKeyBody,
      success: dataBody(IssuedKeyBody, 201),
      error: [...jsonErrors, ...absent]
    }).annotate(OpenApi.Summary, "Make an API key; its text is shown once"),
    HttpApiEndpoint.get("listKeys", "/workspaces/:id/api-keys", {
      params: workspace,
      query: listQuery,
      success: pageBody(ApiKeyBody),
      error: absent
    })
      .annotate(HttpApi.QueryParseOptions, strictQuery)
      .annotate(OpenApi.Summary, "List API keys, newest first"),
    HttpApiEndpoint.delete("revokeKey", "/workspaces/:id/api-keys/:key_id", {
      params: apiKey,
      success: HttpApiSchema.NoContent,
      error: absent
    }).annotate(OpenApi.Summary, "Revoke an API key"),
    HttpApiEndpoint.post("advanceClock", "/test/clock", {
      payload: AdvanceBody,
      success: dataBody(Schema.Struct({ now: Time })),
      error: [...jsonErrors, unavailable]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Move the test clock",
        description: "Only in a host with LOOPBOX_TEST_CLOCK; 404 elsewhere."
      })
    )
  )
  .prefix("/v1/admin")
  .middleware(AdminValidation)
  .middleware(AdminAuthentication)
  .annotate(OpenApi.Description, "Workspaces, members and API keys, for whoever runs the service.") {}
