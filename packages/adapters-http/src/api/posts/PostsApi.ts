import { PostStatus } from "@loopbox/core/items/ShownPost"
import * as Schema from "effect/Schema"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { dataBody, pageBody } from "../DataBody.ts"
import { errorAt, errors, Issue, jsonErrors } from "../ErrorBody.ts"
import { AccountIdText, optionalScopeQuery, scopeHeaders } from "../inbox/InboxQuery.ts"
import { listQuery, strictQuery } from "../ListQuery.ts"
import { InboxValidation } from "../Validation.ts"
import { PostBody, TargetBody, WarningBody } from "./PostBody.ts"
import { NewPostBody, PostChangeBody } from "./PostInputBody.ts"
import { PostsAuthorization } from "./PostsAuthorization.ts"

const params = { id: Schema.String }
const targetParams = { id: Schema.String, targetID: Schema.String }
const scope = { query: optionalScopeQuery, headers: scopeHeaders }
const unavailable = errors("TEMPORARILY_UNAVAILABLE")
const absent = errors("NOT_FOUND", "TEMPORARILY_UNAVAILABLE")
const accepted = [dataBody(PostBody, 202), dataBody(PostBody, 201)] as const

/** What publishing a post as it is now would come to. */
const JudgementBody = Schema.Struct({
  valid: Schema.Boolean,
  issues: Schema.Array(Issue),
  warnings: Schema.Array(WarningBody)
}).annotate({
  identifier: "PostJudgement",
  examples: [
    {
      valid: false,
      issues: [
        {
          path: "targets[0].media_ids[0]",
          code: "gif_conversion_required",
          message: "Convert the GIF first: POST /v1/media/gif-conversions.",
          actual: "image/gif",
          limit: null
        }
      ],
      warnings: []
    }
  ]
})

/** `/v1/posts` (api-2.md §12). */
export class PostsApi extends HttpApiGroup.make("posts")
  .add(
    HttpApiEndpoint.post("create", "/", {
      query: optionalScopeQuery,
      headers: {
        ...scopeHeaders,
        "idempotency-key": Schema.optionalKey(
          Schema.String.annotate({
            description: "1 to 255 visible ASCII characters; per workspace, as long as the post is kept."
          })
        )
      },
      payload: NewPostBody,
      success: accepted,
      error: [
        ...jsonErrors,
        ...errors("IDEMPOTENCY_KEY_CONFLICT", "MANAGED_USER_NOT_FOUND", "PUBLIC_URL_REQUIRED"),
        ...unavailable
      ]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Publish a post",
        description:
          "Accepted durably before anything is sent; each target then goes out once, whatever becomes of the others. 202 " +
          "when it goes out now, 201 for a draft and for one with a time. Everything is judged first: what a network would " +
          "not take is a 400 with all issues, and nothing is stored. A draft is judged when it is published. The same key " +
          "and input give the same post again. A GIF to Instagram or Threads has to be converted before; nothing is " +
          "converted by itself."
      })
    ),
    HttpApiEndpoint.post("validate", "/validate", {
      ...scope,
      payload: NewPostBody,
      success: dataBody(JudgementBody),
      error: [...jsonErrors, ...unavailable]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Judge a post without storing it",
        description: "As if it were to go out: what keeps it from that, and what its author should know."
      })
    ),
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...optionalScopeQuery,
        ...listQuery,
        status: Schema.optionalKey(PostStatus),
        social_account_id: Schema.optionalKey(AccountIdText)
      },
      headers: scopeHeaders,
      success: pageBody(PostBody),
      error: unavailable
    })
      .annotate(HttpApi.QueryParseOptions, strictQuery)
      .annotateMerge(
        OpenApi.annotations({
          summary: "List posts, newest first",
          description: "All, those of one status, or those with a target on one account."
        })
      ),
    HttpApiEndpoint.get("find", "/:id", {
      ...scope,
      params,
      success: dataBody(PostBody),
      error: absent
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Read a post with its targets",
        description:
          "`post.target_updated` tells of each change, and `post.published`, `.partial` or `.failed` of its end."
      })
    ),
    HttpApiEndpoint.patch("edit", "/:id", {
      ...scope,
      params,
      payload: PostChangeBody,
      success: dataBody(PostBody),
      error: [...jsonErrors, ...absent, ...errors("POST_NOT_EDITABLE", "PUBLIC_URL_REQUIRED")]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Change a draft, or the time of a scheduled post",
        description: "What is absent stays as it is, and null clears."
      })
    ),
    HttpApiEndpoint.delete("remove", "/:id", {
      ...scope,
      params,
      success: HttpApiSchema.NoContent,
      error: [...absent, ...errors("POST_NOT_EDITABLE")]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Delete a draft or an ended post",
        description: "Here only: what was published stays on its networks."
      })
    ),
    HttpApiEndpoint.post("publish", "/:id/publish", {
      ...scope,
      params,
      success: accepted,
      error: [...absent, ...errors("POST_NOT_EDITABLE", "PUBLIC_URL_REQUIRED")]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Publish a draft",
        description: "202 when it goes out now, 201 when at its time. It is judged now. A body is ignored."
      })
    ),
    HttpApiEndpoint.post("cancel", "/:id/cancel", {
      ...scope,
      params,
      success: dataBody(PostBody),
      error: [...absent, ...errors("POST_ALREADY_PUBLISHING")]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Cancel a post",
        description:
          "A draft, a scheduled one, or those targets of one under way that have not begun. A body is ignored. Again: 200."
      })
    ),
    HttpApiEndpoint.post("retryTarget", "/:id/targets/:targetID/retry", {
      ...scope,
      params: targetParams,
      success: dataBody(TargetBody, 202),
      error: [...absent, ...errors("TARGET_NOT_RETRYABLE")]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Publish a failed target again",
        description: "Only one of which nothing was published, and whose error is `retryable`. A body is ignored."
      })
    ),
    HttpApiEndpoint.delete("removeTarget", "/:id/targets/:targetID", {
      ...scope,
      params: targetParams,
      success: dataBody(TargetBody),
      error: [
        ...absent,
        ...errors("ACTION_NOT_AVAILABLE", "X_RECONNECT_REQUIRED", "PLATFORM_ERROR", "PLATFORM_RATE_LIMITED"),
        errorAt(502, "PLATFORM_ERROR")
      ]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Delete a published target on its network",
        description: "Where the network has a call for it; deleting it again does nothing."
      })
    )
  )
  .prefix("/v1/posts")
  .middleware(InboxValidation)
  .middleware(PostsAuthorization)
  .annotate(OpenApi.Description, "Posts: published to any number of accounts, each once.") {}
