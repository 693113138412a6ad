import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { AccountTokens } from "../accounts/AccountTokens.ts"
import { AuthExpired, type WriteFailed } from "../networks/ConnectorErrors.ts"
import { Connectors, connectorTo } from "../networks/Connectors.ts"
import { TargetNotRemovable } from "./PostErrors.ts"
import type { PostTarget } from "./PostTarget.ts"

/** How often a deletion is repeated whose outcome is not known: deleting twice has one effect. */
const repeats = 2

/** Makes what deletes a published target at its network; one that is gone there already counts as deleted. */
export const makeRemoveTarget = Effect.gen(function* () {
  const tokens = yield* AccountTokens
  const connectors = yield* Connectors

  return Effect.fnUntraced(function* ({ accountId, id, network, state, workspaceId }: PostTarget) {
    if (state._tag !== "Published" || Option.isNone(network)) {
      return yield* new TargetNotRemovable({ targetId: id, reason: "not_published" })
    }
    const { publish } = connectorTo(connectors, network.value)
    const { externalId } = state
    const isGone = (error: WriteFailed) => error._tag === "Rejected" && error.reason === "gone"
    yield* tokens
      .withAccess(workspaceId, accountId, (access): Effect.Effect<void, WriteFailed | TargetNotRemovable> => {
        const remove = publish?.remove(access) ?? Option.none()
        if (Option.isNone(remove)) {
          return Effect.fail(new TargetNotRemovable({ targetId: id, reason: "not_supported" }))
        }
        return remove.value(externalId).pipe(
          Effect.catchIf(isGone, () => Effect.void),
          Effect.retry({ while: ({ _tag }) => _tag === "OutcomeUnknown", times: repeats })
        )
      })
      .pipe(
        Effect.catchTag("AccountUnusable", () =>
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
      )
  })
})
