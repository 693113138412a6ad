import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { ManagedUserScope } from "../access/InboxScope.ts"
import type { SocialAccount } from "../accounts/SocialAccount.ts"
import type { AuditEvent } from "../audit/AuditEvent.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { ShownEndpoint } from "../items/ShownEndpoint.ts"
import type { ThreadNote } from "../items/threading/ThreadNote.ts"
import type { Media } from "../media/Media.ts"
import type { OutboundOperation } from "../outbound/OutboundOperation.ts"
import type { ManagedUser } from "../workspaces/ManagedUsers.ts"

/** Rows by their id, which sorts by the time at which it was made: the oldest first. */
export interface ExportQuery {
  readonly limit: number
  /** Only rows with a greater id. */
  readonly after: Option.Option<string>
}

export interface ExportPage<A> {
  readonly items: ReadonlyArray<A>
  /** Where the next page begins; absent at the end. A short page, and an empty one, may have one, too. */
  readonly next: Option.Option<string>
}

type List<A> = (user: ManagedUserScope, query: ExportQuery) => Effect.Effect<ExportPage<A>, StoreUnavailable>

/**
 * Port: what is kept of one managed user and no other port lists by him. Each page asks again what is his, so that an
 * account that moves away in between is in none of the later pages.
 */
export class ExportStore extends Context.Service<
  ExportStore,
  {
    /**
     * Finds the user, and audits in the same transaction that his data is exported. An erasure waits for it, and then
     * replaces his id there, too.
     */
    readonly begin: (user: ManagedUserScope) => Effect.Effect<Option.Option<ManagedUser>, StoreUnavailable>
    /** His accounts; one that is disconnected, too, until it is erased. */
    readonly accounts: List<SocialAccount>
    /** The notes on threads of his accounts. */
    readonly notes: List<ThreadNote>
    /** The replies of his accounts. */
    readonly operations: List<OutboundOperation>
    /** The files that his posts and the replies of his accounts name, each once. */
    readonly media: List<Media>
    /** The webhook endpoints that get his events only; secrets are none of it. */
    readonly webhookEndpoints: List<ShownEndpoint>
    /** What was done to him, to his accounts, to his posts, and to the items of his accounts. */
    readonly auditEvents: List<AuditEvent>
  }
>()("@loopbox/core/exporting/ExportStore") {}
