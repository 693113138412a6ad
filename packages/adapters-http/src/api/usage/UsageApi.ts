import type { WorkspaceUsage } from "@loopbox/core/usage/Usage"
import { Plan } from "@loopbox/core/workspaces/Plan"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { dataBody, Time } from "../DataBody.ts"
import { errors } from "../ErrorBody.ts"
import { scopeHeaders } from "../inbox/InboxQuery.ts"
import { WorkspaceAuthorization } from "./WorkspaceAuthorization.ts"

/** Every key is always there (api-2-decided B18). */
const UsageBody = Schema.Struct({
  plan: Plan,
  limits: Schema.Struct({ active_jobs: Schema.Int, gif_conversions_per_24h: Schema.Int }),
  active_jobs: Schema.Int.annotate({ description: "Queued and processing media jobs of all kinds." }),
  gif_conversions: Schema.Struct({
    used: Schema.Int,
    limit: Schema.Int,
    reset_at: Schema.NullOr(Time).annotate({
      description: "When one more is admitted; null while one is admitted now, and if the limit is 0."
    })
  }).annotate({ description: "Conversions accepted in the last 24 hours." }),
  items_30d: Schema.Int.annotate({
    description: "Items that came in the last 30 days, counted from a full hour on; also those deleted since."
  }),
  posts_30d: Schema.Int.annotate({
    description: "Posts accepted in the last 30 days that are kept, drafts among them."
  }),
  storage_bytes: Schema.Int.annotate({ description: "Bytes of all files that are not deleted." })
}).annotate({
  identifier: "Usage",
  examples: [
    {
      plan: "growth",
      limits: { active_jobs: 4, gif_conversions_per_24h: 300 },
      active_jobs: 1,
      gif_conversions: { used: 42, limit: 300, reset_at: null },
      items_30d: 18213,
      posts_30d: 64,
      storage_bytes: 734003200
    }
  ]
})

export const toUsageBody = (usage: WorkspaceUsage): typeof UsageBody.Type => ({
  plan: usage.plan,
  limits: {
    active_jobs: usage.limits.activeJobs,
    gif_conversions_per_24h: usage.limits.conversionsPer24Hours
  },
  active_jobs: usage.activeJobs,
  gif_conversions: {
    used: usage.conversions.used,
    limit: usage.conversions.limit,
    reset_at: Option.getOrNull(Option.map(usage.conversions.resetAt, DateTime.formatIso))
  },
  items_30d: usage.items30d,
  posts_30d: usage.posts30d,
  storage_bytes: usage.storageBytes
})

/** `/v1/usage` (api-2.md §16). */
export class UsageApi extends HttpApiGroup.make("usage")
  .add(
    HttpApiEndpoint.get("read", "/usage", {
      headers: scopeHeaders,
      success: dataBody(UsageBody),
      error: errors("NOT_FOUND", "TEMPORARILY_UNAVAILABLE")
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Read what the workspace uses, and what it may use",
        description:
          "The plan with the limits in force, active media jobs, conversions of the last 24 hours, items and posts of the " +
          "last 30 days, and the size of all files. For any API key, or a dashboard user who is admin or owner; there is " +
          "no scope."
      })
    )
  )
  .prefix("/v1")
  .middleware(WorkspaceAuthorization)
  .annotate(OpenApi.Description, "What a workspace uses of what it may use.") {}
