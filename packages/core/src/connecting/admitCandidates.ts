import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import { missingPermissionsOf } from "../health/judgeHealth.ts"
import { revivableFor } from "../access/AccountAdministration.ts"
import type { CredentialVault } from "../accounts/CredentialVault.ts"
import { SocialAccount } from "../accounts/SocialAccount.ts"
import type { SocialAccounts } from "../accounts/SocialAccounts.ts"
import { nextSocialAccountId, type SocialAccountId } from "../kernel/Ids.ts"
import { untilStored } from "../kernel/untilStored.ts"
import type { NetworkConnect } from "../networks/NetworkConnect.ts"
import type { KeptCandidate } from "./ConnectAttempt.ts"
import type { ConnectFailure, ConnectSession } from "./ConnectSession.ts"
import type { AttemptEnd } from "./decideAttempt.ts"

interface Ports {
  readonly accounts: SocialAccounts["Service"]
  readonly vault: CredentialVault["Service"]
  readonly random: SecureRandom["Service"]
}

/** Connects what was chosen. Each account is one transaction: one that is refused does not keep the others away. */
export const makeAdmitCandidates = ({ accounts, random, vault }: Ports) => {
  const admitOne = Effect.fnUntraced(function* (
    session: ConnectSession,
    connect: NetworkConnect,
    candidate: KeptCandidate
  ) {
    const { hindrance: _, sealed, ...names } = candidate
    const { externalUserId, features, network, workspaceId } = session
    const createdAt = yield* DateTime.now
    const credentials = yield* Effect.fromOption(sealed).pipe(
      Effect.flatMap((text) => vault.open({ workspaceId, accountId: session.id }, text)),
      Effect.mapError((): ConnectFailure => ({ code: "provider_error", detail: "its token can't be opened any more" }))
    )
    const account = new SocialAccount({
      ...names,
      id: yield* nextSocialAccountId(random),
      workspaceId,
      network,
      externalUserId,
      status: "connected",
      disconnectedAt: Option.none(),
      tokenExpiresAt: credentials.expiresAt,
      login: Option.some(connect.login),
      features,
      requestedPermissions: connect.permissionsFor(features),
      createdAt
    })
    const admission = {
      account,
      seal: (accountId: SocialAccountId) => vault.seal({ workspaceId, accountId }, credentials),
      expected: session.socialAccountId,
      revivableSince: DateTime.subtract(createdAt, revivableFor)
    }
    // Again, if the store does not answer: an account that was admitted is renewed, and the network gives no second token.
    const outcome = yield* untilStored(accounts.admit(admission)).pipe(
      Effect.catchTags({
        AccountOfOtherUser: ({ accountId }) =>
          Effect.fail<ConnectFailure>({ code: "account_of_other_user", detail: accountId }),
        AccountMismatch: ({ expected }) => Effect.fail<ConnectFailure>({ code: "account_mismatch", detail: expected })
      })
    )
    if (Option.isNone(outcome)) {
      return yield* Effect.fail<ConnectFailure>({ code: "provider_error", detail: "the workspace is gone" })
    }
    return outcome.value.account.id
  })

  return Effect.fnUntraced(function* (
    session: ConnectSession,
    connect: NetworkConnect,
    chosen: ReadonlyArray<KeptCandidate>
  ) {
    const outcomes = yield* Effect.forEach(chosen, (candidate) =>
      admitOne(session, connect, candidate).pipe(
        Effect.map(Result.succeed),
        Effect.catchIf(
          (error) => "code" in error,
          (failure) => Effect.succeed(Result.fail(failure))
        )
      )
    )
    const accountIds = outcomes.flatMap((one) => (Result.isSuccess(one) ? [one.success] : []))
    const refused = outcomes.flatMap((one) => (Result.isFailure(one) ? [one.failure] : []))
    const [refusal] = refused
    if (accountIds.length === 0) {
      const failure = Option.fromUndefinedOr(refusal)
      const end: AttemptEnd = { _tag: "End", status: "failed", accountIds, failure }
      return end
    }
    const asked = connect.permissionsFor(session.features)
    const lackedBy = chosen.flatMap(({ permissions }) =>
      missingPermissionsOf({ permissions, requestedPermissions: asked })
    )
    const missing = asked.filter((name) => lackedBy.includes(name))
    const lacking = Option.filter(
      Option.some<ConnectFailure>({ code: "missing_scopes", detail: missing.join(" ") }),
      () => missing.length > 0
    )
    const end: AttemptEnd = {
      _tag: "End",
      status: "completed",
      accountIds,
      failure: Option.orElse(Option.fromUndefinedOr(refusal), () => lacking)
    }
    return end
  })
}
