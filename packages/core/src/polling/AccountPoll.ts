import type { NetworkTable } from "../networks/Networks.ts"
import type { SocialConnector } from "../networks/SocialConnector.ts"
import type { OpenAccount } from "../accounts/AccountTokens.ts"
import type { Ingest } from "../inbox/Ingest.ts"
import type { IngestStore } from "../inbox/IngestStore.ts"
import type { FeedState } from "../sync/SyncRun.ts"
import type { SyncClaim } from "../sync/PollStore.ts"

export interface PollPorts {
  readonly ingest: Ingest["Service"]
  readonly store: IngestStore["Service"]
}

/** One account to poll. */
export interface AccountPoll {
  readonly claim: SyncClaim
  readonly account: OpenAccount
  readonly connector: SocialConnector
  readonly networks: NetworkTable
  /** By `feedKey`. */
  readonly feeds: ReadonlyMap<string, FeedState>
  /** Whether a sync requested it; otherwise it is an automatic poll. */
  readonly isAsked: boolean
}

/** Concurrent requests for one account. */
export const requestsAtOnce = 4
