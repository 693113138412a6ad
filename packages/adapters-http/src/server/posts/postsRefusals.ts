import type { PostInvalid, PostIssue, PostKeyConflict, TargetNotRemovable } from "@loopbox/core/posts/PostErrors"
import type {
  AuthExpired,
  OutcomeUnknown,
  RateLimited,
  Rejected,
  Unavailable
} from "@loopbox/core/networks/ConnectorErrors"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Issue } from "../../api/ErrorBody.ts"
import { networkTitle } from "../../api/names.ts"
import { type InvalidRequest, isUnknownMember } from "../edge/issues.ts"
import { jsonRefusals } from "../edge/readJson.ts"
import { refusalResponse } from "../edge/refusalResponse.ts"
import { refusal, refuse, refuseLimited, refuseUnauthorized } from "../edge/refuse.ts"
import { refusePublicUrl } from "../edge/refusePublicUrl.ts"
import { refuseStore } from "../edge/storeRefusals.ts"

export const toIssueBody = ({ actual, code, limit, message, path }: PostIssue): Issue => ({
  path,
  code,
  message,
  actual: Option.getOrNull(actual),
  limit: Option.getOrNull(limit)
})

/** A fault of the request's form, as issues of posts are: places of lists in brackets, and a code. */
const toFormIssue = (issue: Issue): Issue => ({
  path: issue.path.replaceAll(/\.(\d+)(?=\.|$)/g, "[$1]"),
  code: issue.code ?? (isUnknownMember(issue) ? "unknown_member" : "invalid_value"),
  message: issue.message,
  actual: issue.actual ?? null,
  limit: issue.limit ?? null
})

/** Issues that the sentence for a person names; `details` has them all. */
const named = 5

const refuseIssues = (issues: ReadonlyArray<Issue>) => {
  const told = issues.slice(0, named).map(({ message, path }) => `${path}: ${message.replace(/\.$/, "")}`)
  if (issues.length > named) told.push(`and ${issues.length - named} more issues, see details`)
  return refuse("VALIDATION_ERROR", `The post can't go out as it is. ${told.join("; ")}.`, { issues })
}

export const listRefusals = {
  InvalidRequest: ({ issues }: InvalidRequest) => refuseIssues(issues.map(toFormIssue)),
  StoreUnavailable: refuseStore
}

/** Refusals of `validate`, for which the issues of a post are no refusal. */
export const validateRefusals = { ...jsonRefusals, ...listRefusals }

const judgedRefusals = {
  PostInvalid: ({ issues }: PostInvalid) => refuseIssues(issues.map(toIssueBody)),
  PublicUrlRequired: refusePublicUrl
}

export const createRefusals = {
  ...validateRefusals,
  ...judgedRefusals,
  PostKeyConflict: ({ postId }: PostKeyConflict) =>
    refuse(
      "IDEMPOTENCY_KEY_CONFLICT",
      `This Idempotency-Key came before with another input and made the post ${postId}.`
    ),
  PostOwnerGone: () => refuse("MANAGED_USER_NOT_FOUND"),
  // It was erased since the caller was let in.
  WorkspaceErased: () => refuseUnauthorized("The workspace of this credential was erased.")
}

/** Absent and foreign are told alike. */
export const postRefusals = {
  PostNotFound: () => refuse("NOT_FOUND", "There is no such post in this scope."),
  StoreUnavailable: refuseStore
}

export const removeRefusals = { ...postRefusals, PostNotEditable: () => refuse("POST_NOT_EDITABLE") }

export const publishRefusals = { ...removeRefusals, ...judgedRefusals }

export const editRefusals = { ...publishRefusals, ...validateRefusals }

export const cancelRefusals = { ...postRefusals, PostAlreadyPublishing: () => refuse("POST_ALREADY_PUBLISHING") }

const targetRefusals = {
  ...postRefusals,
  TargetNotFound: () => refuse("NOT_FOUND", "The post has no such target.")
}

export const retryRefusals = { ...targetRefusals, TargetNotRetryable: () => refuse("TARGET_NOT_RETRYABLE") }

const hindrances: Record<TargetNotRemovable["reason"], string> = {
  not_published: "The target is not on its network, so there is nothing to delete.",
  not_supported: "This network has no call that deletes posts. Delete it in its app.",
  missing_scopes: "Connect the account again, with the permission to delete posts."
}

/** A response, for the code's own status is that of a refusal. */
const answerUnreached = ({ network, networkCode }: Unavailable | OutcomeUnknown) =>
  Effect.map(
    refusal("PLATFORM_ERROR", `${networkTitle(network)} gave no answer. The same request may be made again.`, {
      network_code: Option.getOrNull(networkCode)
    }),
    (body) => refusalResponse(body, 502)
  )

/** Refusals of a deletion at the network (api-2-decided A53). */
export const removeTargetRefusals = {
  ...targetRefusals,
  TargetNotRemovable: ({ reason }: TargetNotRemovable) =>
    refuse("ACTION_NOT_AVAILABLE", hindrances[reason], { reason }),
  AuthExpired: ({ missingScopes }: AuthExpired) =>
    refuse("X_RECONNECT_REQUIRED", "Connect the account again. Nothing was deleted.", {
      missing_scopes: missingScopes
    }),
  RateLimited: ({ network, networkCode, retryAt }: RateLimited) =>
    refuseLimited(retryAt, `${networkTitle(network)} limits the rate. Try again later.`, {
      network_code: Option.getOrNull(networkCode)
    }),
  Rejected: ({ network, networkCode, reason }: Rejected) =>
    refuse("PLATFORM_ERROR", `${networkTitle(network)} refused to delete the post (${reason}).`, {
      network_code: Option.getOrNull(networkCode),
      reason
    }),
  Unavailable: answerUnreached,
  OutcomeUnknown: answerUnreached
}
