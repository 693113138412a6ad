import { roles } from "@loopbox/core/workspaces/Role"
import type { ApiKey } from "@loopbox/core/workspaces/ApiKey"
import type { Member } from "@loopbox/core/workspaces/Members"
import { plans } from "@loopbox/core/workspaces/Plan"
import type { Workspace } from "@loopbox/core/workspaces/Workspace"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Time } from "../DataBody.ts"
import { wholeNumber } from "../wholeNumber.ts"

const hasControl = (text: string) => /\p{Cc}/u.test(text)

/** A name as people write it. */
export const Name = Schema.String.check(
  Schema.makeFilter((text: string) => {
    const { length } = [...text]
    return text.trim() !== "" && length <= 200 && !hasControl(text) && text.isWellFormed()
      ? undefined
      : "must be 1 to 200 characters without control characters, not only spaces"
  })
)

export const userIdRule = "must be 1 to 256 characters without control characters"

/** A user's id, as the customer's identity provider names them. */
export const UserId = Schema.String.check(
  Schema.makeFilter((text: string) =>
    text.length >= 1 && text.length <= 256 && !hasControl(text) && text.isWellFormed() ? undefined : userIdRule
  )
)

/** Null clears a limit in a change, and is the same as absent in a new workspace. */
const LimitValue = Schema.NullOr(wholeNumber({ minimum: 0, maximum: 1_000_000 }))
export const LimitsChange = Schema.Struct({
  active_jobs: Schema.optionalKey(LimitValue),
  gif_conversions_per_24h: Schema.optionalKey(LimitValue)
})

export const NewWorkspaceBody = Schema.Struct({
  name: Name,
  plan: Schema.Literals(plans),
  limits: Schema.optionalKey(Schema.NullOr(LimitsChange))
}).annotate({ examples: [{ name: "Acme", plan: "growth" }] })

export const WorkspaceChangeBody = Schema.Struct({
  name: Schema.optionalKey(Schema.NullOr(Name)),
  plan: Schema.optionalKey(Schema.NullOr(Schema.Literals(plans))),
  limits: Schema.optionalKey(Schema.NullOr(LimitsChange))
}).annotate({ examples: [{ plan: "enterprise", limits: { active_jobs: 20 } }] })

/** A workspace on the wire; `limits` are the contract's, null where the plan's figure is in force. */
export const WorkspaceBody = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  plan: Schema.Literals(plans),
  limits: Schema.Struct({
    active_jobs: Schema.NullOr(Schema.Int),
    gif_conversions_per_24h: Schema.NullOr(Schema.Int)
  }),
  created_at: Time
}).annotate({
  identifier: "Workspace",
  examples: [
    {
      id: "ws_01k9j8kz7c5r3n1p9h7f5d3b1a",
      name: "Acme",
      plan: "growth",
      limits: { active_jobs: null, gif_conversions_per_24h: null },
      created_at: "2026-11-21T07:00:00.000Z"
    }
  ]
})

export const toWorkspaceBody = (workspace: Workspace): typeof WorkspaceBody.Type => ({
  id: workspace.id,
  name: workspace.name,
  plan: workspace.plan,
  limits: {
    active_jobs: Option.getOrNull(workspace.limits.activeJobs),
    gif_conversions_per_24h: Option.getOrNull(workspace.limits.conversionsPer24Hours)
  },
  created_at: DateTime.formatIso(workspace.createdAt)
})

export const RoleBody = Schema.Struct({ role: Schema.Literals(roles) }).annotate({ examples: [{ role: "admin" }] })

export const MemberBody = Schema.Struct({
  workspace_id: Schema.String,
  user_id: Schema.String,
  role: Schema.Literals(roles)
}).annotate({
  identifier: "Member",
  examples: [{ workspace_id: "ws_01k9j8kz7c5r3n1p9h7f5d3b1a", user_id: "user_demo", role: "admin" }]
})

export const toMemberBody = (workspaceId: string, { role, userId }: Member): typeof MemberBody.Type => ({
  workspace_id: workspaceId,
  user_id: userId,
  role
})

/** JavaScript reads February 30 as a day of March. */
const isRealDay = (time: string) => {
  const day = time.slice(0, 10)
  return Option.exists(DateTime.make(`${day}T00:00:00Z`), (read) => DateTime.formatIso(read).startsWith(day))
}

// Five digits of a year would be a date that PostgreSQL and we write differently.
const rfc3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/

/** A time in a request; absent where it is none. */
export const parseExpiry = (given: string): Option.Option<DateTime.Utc> =>
  rfc3339.test(given) && isRealDay(given) ? Option.map(DateTime.make(given), DateTime.toUtc) : Option.none()

const Expiry = Time.check(
  Schema.makeFilter((given: string) => (Option.isSome(parseExpiry(given)) ? undefined : "must be a time of RFC 3339"))
)

/** How far the test clock may be moved at once. */
const maxAdvance = Duration.days(3650)

/** A step of the test clock; absent where it is none, or too far. */
export const parseAdvance = (given: string): Option.Option<Duration.Duration> =>
  /^\d+(\.\d+)? (milli|second|minute|hour|day|week)s?$/.test(given)
    ? Option.filter(
        Schema.decodeUnknownOption(Schema.DurationFromString)(given),
        (by) => Duration.isGreaterThan(by, Duration.zero) && Duration.isLessThanOrEqualTo(by, maxAdvance)
      )
    : Option.none()

export const NewApiKeyBody = Schema.Struct({
  name: Name,
  creator_user_id: Schema.optionalKey(Schema.NullOr(UserId)),
  expires_at: Schema.optionalKey(Schema.NullOr(Expiry))
}).annotate({ examples: [{ name: "production", creator_user_id: "user_demo" }] })

const exampleKey = {
  id: "key_01k9j8m0b2d4f6h8k0n2q4s6v8",
  workspace_id: "ws_01k9j8kz7c5r3n1p9h7f5d3b1a",
  name: "production",
  creator_user_id: "user_demo",
  created_at: "2026-11-21T07:00:00.000Z",
  expires_at: null,
  last_used_at: null
} as const

/** An API key on the wire; its text is in the answer that makes it, and nowhere else. */
export const ApiKeyBody = Schema.Struct({
  id: Schema.String,
  workspace_id: Schema.String,
  name: Schema.String,
  creator_user_id: Schema.NullOr(Schema.String),
  created_at: Time,
  expires_at: Schema.NullOr(Time),
  last_used_at: Schema.NullOr(Time)
}).annotate({ identifier: "ApiKey", examples: [exampleKey] })

export const IssuedKeyBody = Schema.Struct({
  ...ApiKeyBody.fields,
  key: Schema.String.annotate({ description: "The key itself: shown once." })
}).annotate({ identifier: "IssuedApiKey", examples: [{ ...exampleKey, key: "lbx_live_4f9c…" }] })

export const toApiKeyBody = (key: ApiKey): typeof ApiKeyBody.Type => ({
  id: key.id,
  workspace_id: key.workspaceId,
  name: key.name,
  creator_user_id: Option.getOrNull(key.creatorUserId),
  created_at: DateTime.formatIso(key.createdAt),
  expires_at: Option.getOrNull(Option.map(key.expiresAt, DateTime.formatIso)),
  last_used_at: Option.getOrNull(Option.map(key.lastUsedAt, DateTime.formatIso))
})

export const AdvanceBody = Schema.Struct({
  advance: Schema.String.annotate({ description: "How far to move the clock forward." }).check(
    Schema.makeFilter((given: string) =>
      Option.isSome(parseAdvance(given)) ? undefined : 'must be a duration such as "25 hours", at most 3650 days'
    )
  )
}).annotate({ examples: [{ advance: "25 hours" }] })
