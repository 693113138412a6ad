import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { InboxScope } from "../access/InboxScope.ts"
import type { AccountIsDisconnected, AccountNotFound } from "../accounts/AccountErrors.ts"
import type { AccountView } from "../accounts/AccountView.ts"
import type { AccountStatus } from "../accounts/SocialAccount.ts"
import type { Page, PageKey, PageRequest } from "../kernel/Page.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { RateLimited, Unavailable } from "../networks/ConnectorErrors.ts"
import type { Network } from "../networks/Source.ts"

/** Which accounts a list has; an empty set means all. */
export interface AccountFilter {
  readonly networks: ReadonlySet<Network>
  readonly statuses: ReadonlySet<AccountStatus>
}

/** A page of accounts; `next` is the key of the last one. */
export interface AccountPage extends Omit<Page<AccountView>, "next"> {
  readonly next: Page<PageKey>["next"]
}

/**
 * Driving service: the connected accounts of a scope, with their health (api-2.md §11). It does not authorise: the scope
 * is what the caller may see. A malformed id counts as not found.
 */
export class ConnectedAccounts extends Context.Service<
  ConnectedAccounts,
  {
    /** Newest first. Those disconnected within 7 days are listed, too. */
    readonly list: (
      scope: InboxScope,
      filter: AccountFilter,
      page: PageRequest
    ) => Effect.Effect<AccountPage, StoreUnavailable>
    /** An account of the scope, also one that was disconnected within 7 days. */
    readonly find: (scope: InboxScope, id: string) => Effect.Effect<AccountView, AccountNotFound | StoreUnavailable>
    /**
     * Asks the network now who the account is, what its token may do and whether its webhooks are subscribed, and
     * repairs the subscription. A dead token is an answer: the account is `reauth_required`. Fails if the network does
     * not answer, or not now.
     */
    readonly check: (
      scope: InboxScope,
      id: string
    ) => Effect.Effect<
      AccountView,
      AccountNotFound | AccountIsDisconnected | RateLimited | Unavailable | StoreUnavailable
    >
    /**
     * Disconnects it here, after its subscription and its token were taken back at the network as far as that works
     * within a short time. Disconnecting it again does nothing.
     */
    readonly disconnect: (scope: InboxScope, id: string) => Effect.Effect<void, AccountNotFound | StoreUnavailable>
  }
>()("@loopbox/core/health/ConnectedAccounts") {}
