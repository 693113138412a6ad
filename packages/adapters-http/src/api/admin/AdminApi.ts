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
import { AdminAuthentication } from "../Authentication.ts"
import { dataBody, pageBody, Time } from "../DataBody.ts"
import { errors, jsonErrors } from "../ErrorBody.ts"
import { listQuery, strictQuery } from "../ListQuery.ts"
import { AdminValidation } from "../Validation.ts"

const workspace = { id: Schema.String }
const member = { id: Schema.String, user_id: Schema.String }
const apiKey = { id: Schema.String, key_id: Schema.String }

const unavailable = errors("TEMPORARILY_UNAVAILABLE")
const absent = errors("NOT_FOUND", "TEMPORARILY_UNAVAILABLE")

/** `/v1/admin/*` (api.md §8); every route is 404 in a host without an admin token. */
export class AdminApi extends HttpApiGroup.make("admin")
  .add(
    HttpApiEndpoint.post("createWorkspace", "/workspaces", {
      payload: NewWorkspaceBody,
      success: dataBody(WorkspaceBody, 201),
      error: [...jsonErrors, ...unavailable]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Make a workspace",
        description:
          "A customer: the unit of tenancy, plans and limits. Only an enterprise workspace has `limits` of its own."
      })
    ),
    HttpApiEndpoint.get("listWorkspaces", "/workspaces", {
      query: listQuery,
      success: pageBody(WorkspaceBody),
      error: unavailable
    })
      .annotate(HttpApi.QueryParseOptions, strictQuery)
      .annotateMerge(
        OpenApi.annotations({ summary: "List workspaces, newest first", description: "Every workspace of this host." })
      ),
    HttpApiEndpoint.get("findWorkspace", "/workspaces/:id", {
      params: workspace,
      success: dataBody(WorkspaceBody),
      error: absent
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Read a workspace",
        description: "With its plan, and the limits of its contract where it has any."
      })
    ),
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
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Erase a workspace with all its data",
        description: "Accounts, items, media, jobs, keys and members are hidden at once, and removed for good."
      })
    ),
    HttpApiEndpoint.get("listMembers", "/workspaces/:id/members", {
      params: workspace,
      query: listQuery,
      success: pageBody(MemberBody),
      error: absent
    })
      .annotate(HttpApi.QueryParseOptions, strictQuery)
      .annotateMerge(
        OpenApi.annotations({
          summary: "List members by their user ids",
          description: "Each with the role that holds for their next request."
        })
      ),
    HttpApiEndpoint.get("findMember", "/workspaces/:id/members/:user_id", {
      params: member,
      success: dataBody(MemberBody),
      error: absent
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Read a member",
        description: "With the role that holds for their next request; 404 for a user who is no member."
      })
    ),
    HttpApiEndpoint.put("setMember", "/workspaces/:id/members/:user_id", {
      params: member,
      payload: RoleBody,
      success: [dataBody(MemberBody), dataBody(MemberBody, 201)],
      error: [...jsonErrors, ...absent]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Add a member (201), or change one's role (200)",
        description: "The role holds for the next request: workspace scope needs an admin or an owner."
      })
    ),
    HttpApiEndpoint.delete("removeMember", "/workspaces/:id/members/:user_id", {
      params: member,
      success: HttpApiSchema.NoContent,
      error: absent
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Remove a member",
        description: "Keys that they created no longer count from the next request on."
      })
    ),
    HttpApiEndpoint.post("issueKey", "/workspaces/:id/api-keys", {
      params: workspace,
      payload: NewApiKeyBody,
      success: dataBody(IssuedKeyBody, 201),
      error: [...jsonErrors, ...absent]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Make an API key; its text is shown once",
        description:
          "With a creator who is admin or owner it may ask for workspace scope; without one for managed users only."
      })
    ),
    HttpApiEndpoint.get("listKeys", "/workspaces/:id/api-keys", {
      params: workspace,
      query: listQuery,
      success: pageBody(ApiKeyBody),
      error: absent
    })
      .annotate(HttpApi.QueryParseOptions, strictQuery)
      .annotateMerge(
        OpenApi.annotations({
          summary: "List API keys, newest first",
          description: "Without their texts, each with when it was last used."
        })
      ),
    HttpApiEndpoint.get("findKey", "/workspaces/:id/api-keys/:key_id", {
      params: apiKey,
      success: dataBody(ApiKeyBody),
      error: absent
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Read an API key",
        description: "Without its text, and with when it was last used; 404 for one that was revoked."
      })
    ),
    HttpApiEndpoint.delete("revokeKey", "/workspaces/:id/api-keys/:key_id", {
      params: apiKey,
      success: HttpApiSchema.NoContent,
      error: absent
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Revoke an API key",
        description: "It no longer counts from the next request on, and its sockets are closed."
      })
    ),
    HttpApiEndpoint.post("advanceClock", "/test/clock", {
      payload: AdvanceBody,
      success: dataBody(Schema.Struct({ now: Time })),
      error: [...jsonErrors, ...unavailable]
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
