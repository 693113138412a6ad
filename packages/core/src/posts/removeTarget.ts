import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { InboxScope } from "../access/InboxScope.ts"
import { AccountTokens } from "../accounts/AccountTokens.ts"
import type { SocialAccount } from "../accounts/SocialAccount.ts"
import { AuthExpired, type WriteFailed } from "../networks/ConnectorErrors.ts"
import { Connectors, connectorTo } from "../networks/Connectors.ts"
import { TargetNotFound, TargetNotRemovable } from "./PostErrors.ts"
import type { PostTarget } from "./PostTarget.ts"

/** How often a deletion is repeated whose outcome is not known: deleting twice has one effect. */
const repeats = 2

const isReachedBy = (scope: InboxScope, { externalUserId }: SocialAccount): boolean =>
  scope._tag === "WorkspaceScope" || Option.contains(externalUserId, scope.externalUserId)

/**
 * Makes what deletes a published target at its network; one that is gone there already counts as deleted. A managed user
 * reaches it only while the account is theirs.
 */
export const makeRemoveTarget = Effect.gen(function* () {
  const tokens = yield* AccountTokens
  const connectors = yield* Connectors

  return Effect.fnUntraced(function* (scope: InboxScope, { accountId, id, network, state, workspaceId }: PostTarget) {
    if (state._tag !== "Published" || Option.isNone(network)) {
      return yield* new TargetNotRemovable({ targetId: id, reason: "not_published" })
    }
    const { publish } = connectorTo(connectors, network.value)
    const { externalId } = state
    const isGone = (error: WriteFailed) => error._tag === "Rejected" && error.reason === "gone"
    const { account, use } = yield* Effect.catchTag(tokens.open(workspaceId, accountId), "AccountUnusable", () =>
      Effect.fail(
        new AuthExpired({
          network: network.value,
          networkCode: Option.none(),
          detail: "the account can't be used",
          reason: "token",
          missingScopes: []
        })
      )
    )
    if (!isReachedBy(scope, account)) return yield* new TargetNotFound({ targetId: id })
    yield* use((access): Effect.Effect<void, WriteFailed | TargetNotRemovable> => {
      const remove = publish?.remove(access) ?? Option.none()
      if (Option.isNone(remove)) {
        return Effect.fail(new TargetNotRemovable({ targetId: id, reason: "not_supported" }))
      }
      return remove.value(externalId).pipe(
        Effect.catchIf(isGone, () => Effect.void),
        Effect.retry({ while: ({ _tag }) => _tag === "OutcomeUnknown", times: repeats })
      )
    })
  })
})
