import { type Credential, InboxAccess } from "@loopbox/core/access/InboxAccess"
import type {
  IdentityUnavailable,
  PlanFeatureNotAvailable,
  ScopeInvalid,
  ScopeInvalidReason
} from "@loopbox/core/access/AccessErrors"
import type { ScopeRequest } from "@loopbox/core/access/ScopeClaim"
import type { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { makeIdentify } from "../access/identify.ts"
import { refuse, refuseFor } from "../edge/refuse.ts"

const sentences: Record<ScopeInvalidReason, string> = {
  malformed_query: "An escape in the query is not two hex digits, or not UTF-8.",
  duplicate_parameter: "Give inbox_scope and external_user_id once.",
  unknown_scope: "inbox_scope must be managed_user or workspace.",
  external_user_id_not_allowed: "Leave external_user_id out with inbox_scope=workspace.",
  external_user_id_required: "Give external_user_id with inbox_scope=managed_user.",
  external_user_id_invalid: "external_user_id may have 256 characters.",
  workspace_required: "Webhook endpoints are the workspace's: give inbox_scope=workspace."
}

const refuseLookup = (error: StoreUnavailable | IdentityUnavailable) =>
  Effect.andThen(
    Effect.logWarning("who calls could not be looked up", error),
    refuseFor(1, "INBOX_SCOPE_LOOKUP_FAILED")
  )

/** Where there is no scope, but the whole workspace. */
export const workspaceRefusals = {
  InsufficientRole: () => refuse("INSUFFICIENT_ROLE"),
  StoreUnavailable: refuseLookup,
  IdentityUnavailable: refuseLookup
}

/** Row 2 of api.md §2, where the scope may be left out. */
export const scopeRefusals = {
  ...workspaceRefusals,
  ScopeInvalid: ({ reason }: ScopeInvalid) => refuse("INBOX_SCOPE_INVALID", sentences[reason], { reason }),
  ManagedUserNotFound: () => refuse("MANAGED_USER_NOT_FOUND")
}

/** Rows 2 and 3 of api.md §2. */
const accessRefusals = {
  ...scopeRefusals,
  ScopeRequired: () => refuse("INBOX_SCOPE_REQUIRED"),
  KeyCreatorRequired: () => refuse("API_KEY_CREATOR_REQUIRED"),
  PlanFeatureNotAvailable: ({ requiredPlan }: PlanFeatureNotAvailable) =>
    refuse(
      "PLAN_FEATURE_NOT_AVAILABLE",
      undefined,
      Option.isSome(requiredPlan) ? { required_plan: requiredPlan.value } : undefined
    )
}

/** Rows 1–3 of api.md §2: core checks them in this order. The key's rate limit is checked after authentication. */
export const makeEnterInbox = Effect.gen(function* () {
  const access = yield* InboxAccess
  const identify = yield* makeIdentify
  return Effect.fnUntraced(function* (credential: Option.Option<Credential>, request: ScopeRequest) {
    return yield* access.enterScope(yield* identify(credential), request)
  }, Effect.catchTags(accessRefusals))
})

/** The text after `?`, as it came. */
export const rawQueryOf = (url: string): string => {
  const start = url.indexOf("?")
  if (start < 0) return ""
  const end = url.indexOf("#", start)
  return url.slice(start + 1, end < 0 ? undefined : end)
}
