import * as Effect from "effect/Effect"
import type { InboxAccess } from "@loopbox/core/access/InboxAccess"
import type { AccountView } from "@loopbox/core/accounts/AccountView"
import type { AccountStatus } from "@loopbox/core/accounts/SocialAccount"
import type { ConnectedAccounts } from "@loopbox/core/health/ConnectedAccounts"
import type { Network } from "@loopbox/core/networks/Source"
import { type ListRequest, toPageRequest } from "./listRequest.ts"
import { type PlainPage, toPlainPage } from "./plain.ts"
import type { CallOptions, Run } from "./run.ts"
import { type Plain, toPlain } from "./toPlain.ts"
import { makeWithinScope, type PlainScope } from "./within.ts"

/** An account as its customer sees it: how it is, and what can be done with it. */
export interface PlainConnectedAccount extends Plain<AccountView> {}

export interface ConnectedListRequest extends ListRequest {
  readonly network?: Network | null | undefined
  readonly status?: AccountStatus | null | undefined
}

/**
 * The connected accounts of a scope with their health (api-2.md §11); `accounts` has them as whoever runs the service does.
 * What is not in the scope rejects with `AccountNotFound`.
 */
export interface ConnectedFacade {
  /** Newest first. Those disconnected within 7 days are listed, too. */
  readonly list: (
    scope: PlainScope,
    request?: ConnectedListRequest,
    options?: CallOptions
  ) => Promise<PlainPage<PlainConnectedAccount>>
  readonly find: (scope: PlainScope, id: string, options?: CallOptions) => Promise<PlainConnectedAccount>
  /**
   * Asks the network now whose the token is, and makes its webhooks be subscribed. A token that is dead is an answer. Rejects
   * with `RateLimited` or `Unavailable` if the network can't be asked.
   */
  readonly check: (scope: PlainScope, id: string, options?: CallOptions) => Promise<PlainConnectedAccount>
  /** As `accounts.disconnect`. */
  readonly disconnect: (scope: PlainScope, id: string, options?: CallOptions) => Promise<void>
}

const given = <A>(value: A | null | undefined): ReadonlySet<A> =>
  new Set(value === undefined || value === null ? [] : [value])

export const makeConnectedFacade = (
  access: InboxAccess["Service"],
  accounts: ConnectedAccounts["Service"],
  run: Run
): ConnectedFacade => {
  const within = makeWithinScope(access)
  return {
    list: (scope, request = {}, options) =>
      run(
        within(scope, (caller) =>
          toPageRequest(request).pipe(
            Effect.flatMap((page) =>
              accounts.list(caller.scope, { networks: given(request.network), statuses: given(request.status) }, page)
            ),
            Effect.map((page) => toPlainPage(page, toPlain<AccountView>))
          )
        ),
        options
      ),
    find: (scope, id, options) =>
      run(
        within(scope, (caller) => Effect.map(accounts.find(caller.scope, id), toPlain<AccountView>)),
        options
      ),
    check: (scope, id, options) =>
      run(
        within(scope, (caller) => Effect.map(accounts.check(caller.scope, id), toPlain<AccountView>)),
        options
      ),
    disconnect: (scope, id, options) =>
      run(
        within(scope, (caller) => accounts.disconnect(caller.scope, id)),
        options
      )
  }
}
