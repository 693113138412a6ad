import * as Schema from "effect/Schema"
import { ApiKeyId, WorkspaceId } from "../kernel/Ids.ts"
import { Plan } from "../workspaces/Plan.ts"

/** What a dashboard token lacks that is otherwise good: only its holder learns of it. */
export const UnauthorizedReason = Schema.Literals(["workspace_required", "workspace_differs", "workspace_unclaimed"])
export type UnauthorizedReason = typeof UnauthorizedReason.Type

/**
 * The credential is missing, malformed, unknown, revoked or expired, or its creator is no longer a member; or with a
 * reason, a dashboard token that was verified and does not say of which workspace it is.
 */
export class Unauthorized extends Schema.TaggedError<Unauthorized>()("Unauthorized", {
  reason: Schema.optionalKey(UnauthorizedReason)
}) {}

export class WorkspaceNotFound extends Schema.TaggedError<WorkspaceNotFound>()("WorkspaceNotFound", {
  workspaceId: Schema.String
}) {}

export class MemberNotFound extends Schema.TaggedError<MemberNotFound>()("MemberNotFound", {
  workspaceId: WorkspaceId,
  userId: Schema.String
}) {}

export class ApiKeyNotFound extends Schema.TaggedError<ApiKeyNotFound>()("ApiKeyNotFound", {
  workspaceId: WorkspaceId,
  apiKeyId: Schema.Union([ApiKeyId, Schema.String])
}) {}

/** A key's creator must be a member of its workspace. */
export class CreatorNotMember extends Schema.TaggedError<CreatorNotMember>()("CreatorNotMember", {
  userId: Schema.String
}) {}

/** Only an enterprise contract overrides the plan's limits (§8.3). */
export class LimitsNeedEnterprise extends Schema.TaggedError<LimitsNeedEnterprise>()("LimitsNeedEnterprise", {}) {}

/** The request needs an API key, but the caller is a dashboard user. */
export class ApiKeyRequired extends Schema.TaggedError<ApiKeyRequired>()("ApiKeyRequired", {}) {}

/** The identity provider's keys are not available now. */
export class IdentityUnavailable extends Schema.TaggedError<IdentityUnavailable>()("IdentityUnavailable", {
  cause: Schema.Defect()
}) {}

/** The caller must name a scope. */
export class ScopeRequired extends Schema.TaggedError<ScopeRequired>()("ScopeRequired", {}) {}

export const ScopeInvalidReason = Schema.Literals([
  "malformed_query",
  "duplicate_parameter",
  "unknown_scope",
  "external_user_id_not_allowed",
  "external_user_id_required",
  "external_user_id_invalid",
  "workspace_required"
])
export type ScopeInvalidReason = typeof ScopeInvalidReason.Type

export class ScopeInvalid extends Schema.TaggedError<ScopeInvalid>()("ScopeInvalid", { reason: ScopeInvalidReason }) {}

/** Below admin, or no member of the workspace. */
export class InsufficientRole extends Schema.TaggedError<InsufficientRole>()("InsufficientRole", {}) {}

/** Workspace scope needs a key that acts for a member. */
export class KeyCreatorRequired extends Schema.TaggedError<KeyCreatorRequired>()("KeyCreatorRequired", {}) {}

export class ManagedUserNotFound extends Schema.TaggedError<ManagedUserNotFound>()("ManagedUserNotFound", {
  externalUserId: Schema.String
}) {}

/** The caller or the scope could not be looked up for a temporary reason. Nothing has run, so a retry is safe. */
export class ScopeLookupFailed extends Schema.TaggedError<ScopeLookupFailed>()("ScopeLookupFailed", {
  cause: Schema.Defect()
}) {}

/** The plan does not include the inbox or this source; `requiredPlan` is the lowest plan that does. */
export class PlanFeatureNotAvailable extends Schema.TaggedError<PlanFeatureNotAvailable>()("PlanFeatureNotAvailable", {
  plan: Plan,
  requiredPlan: Schema.Option(Plan)
}) {}

/** The customer's identity provider issues dashboard tokens, not Loopbox. */
export class NoLocalIssuer extends Schema.TaggedError<NoLocalIssuer>()("NoLocalIssuer", {}) {}
