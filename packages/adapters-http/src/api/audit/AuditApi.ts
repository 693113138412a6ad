import { ActorType } from "@loopbox/core/audit/Actor"
import { AuditAction, auditActions, type AuditEvent, targetTypeOf } from "@loopbox/core/audit/AuditEvent"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { pageBody, Time } from "../DataBody.ts"
import { errors } from "../ErrorBody.ts"
import { scopeHeaders } from "../inbox/InboxQuery.ts"
import { listQuery, strictQuery } from "../ListQuery.ts"
import { InboxValidation } from "../Validation.ts"
import { AuditAuthorization } from "./AuditAuthorization.ts"

const targetTypes = Array.from(new Set(auditActions.map((action) => targetTypeOf[action])))

const AuditEventBody = Schema.Struct({
  id: Schema.String,
  at: Time,
  actor: Schema.Struct({
    type: ActorType,
    id: Schema.NullOr(Schema.String).annotate({
      description: "The key's or member's id; null of the operator and of Loopbox itself."
    })
  }),
  action: AuditAction,
  target: Schema.Struct({
    type: Schema.Literals(targetTypes),
    id: Schema.String.annotate({ description: "Of an erased managed user a digest." })
  }),
  request_id: Schema.NullOr(Schema.String),
  details: Schema.Record(Schema.String, Schema.String).annotate({
    description: "What it was about, such as the role or the plan; never a text that people wrote, never a token."
  })
}).annotate({
  identifier: "AuditEvent",
  examples: [
    {
      id: "aud_01k9j8m2x4v6q8s0t2w4y6z8ab",
      at: "2026-11-21T07:00:00.000Z",
      actor: { type: "api_key", id: "key_01k9j8m2x4v6q8s0t2w4y6z8ab" },
      action: "account.disconnected",
      target: { type: "account", id: "acc_01k9j8m2x4v6q8s0t2w4y6z8ab" },
      request_id: "req_01k9j8m2x4v6q8s0t2w4y6z8ab",
      details: {}
    }
  ]
})

export const toAuditEventBody = (event: AuditEvent): typeof AuditEventBody.Type => ({
  id: event.id,
  at: DateTime.formatIso(event.createdAt),
  actor: { type: event.actor.type, id: Option.getOrNull(event.actor.id) },
  action: event.action,
  target: event.target,
  request_id: Option.getOrNull(event.requestId),
  details: event.details
})

/** What inbox requests name; the audit is of the whole workspace, whatever stands there (api-2-decided B18). */
const ignored = Schema.optionalKey(Schema.String.annotate({ description: "Ignored: the audit has no scope." }))

/** An empty filter is refused (api.md §1): nothing has an empty id. */
const exact = (description: string) => Schema.optionalKey(Schema.NonEmptyString.annotate({ description }))

/** `/v1/audit-events` (api-2.md §16). */
export class AuditApi extends HttpApiGroup.make("audit")
  .add(
    HttpApiEndpoint.get("list", "/audit-events", {
      query: {
        ...listQuery,
        actor: exact("The id of a key or member."),
        action: Schema.optionalKey(AuditAction),
        target: exact("The id of what was changed."),
        inbox_scope: ignored,
        external_user_id: ignored
      },
      headers: scopeHeaders,
      success: pageBody(AuditEventBody),
      error: errors("TEMPORARILY_UNAVAILABLE")
    })
      .annotate(HttpApi.QueryParseOptions, strictQuery)
      .annotateMerge(
        OpenApi.annotations({
          summary: "List what was changed, by whom, newest first",
          description:
            "Keys, members, managed users, accounts, the plan, posts and moderation, for 400 days. Each event was written " +
            "with its change, and nobody can alter it. For a key whose creator is admin or owner, or such a dashboard " +
            "user. Filters are exact."
        })
      )
  )
  .prefix("/v1")
  .middleware(InboxValidation)
  .middleware(AuditAuthorization)
  .annotate(OpenApi.Description, "What was changed in a workspace, by whom.") {}
