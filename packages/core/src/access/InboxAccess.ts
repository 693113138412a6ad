import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import { WorkspaceId } from "../kernel/Ids.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import { Workspaces } from "../plans/Workspaces.ts"
import { Access } from "./Access.ts"
import { AccessChanges } from "./AccessChanges.ts"
import {
  ApiKeyRequired,
  type IdentityUnavailable,
  ManagedUserNotFound,
  type PlanFeatureNotAvailable,
  ScopeLookupFailed,
  Unauthorized,
  WorkspaceNotFound
} from "./AccessErrors.ts"
import type { Caller, DashboardCaller, KeyCaller } from "./Caller.ts"
import { DashboardIdentity } from "./DashboardIdentity.ts"
import { EntitledCaller, ScopedCaller } from "./EntitledCaller.ts"
import { InboxPlans } from "./InboxPlans.ts"
import { ManagedUsers } from "./ManagedUsers.ts"
import { Members } from "./Members.ts"
import { ScopeClaim, type ScopeRefused, type ScopeRequest } from "./ScopeClaim.ts"

/** What a request proves itself with. */
export interface Credential {
  readonly token: Redacted.Redacted<string>
  /** The workspace that the request names beside a dashboard token. */
  readonly workspaceId: Option.Option<string>
}

export interface InboxRequest extends ScopeRequest {
  /** Absent when the request has none, or one that can't be read. */
  readonly credential: Option.Option<Credential>
}

/** What rows 1–3 of api.md §2 refuse an inbox request for. */
export type InboxRefused =
  | Unauthorized
  | ScopeRefused
  | ManagedUserNotFound
  | ScopeLookupFailed
  | PlanFeatureNotAvailable

/** Driving service: who asks for an inbox, for which scope, under which plan; each step makes the value that the next one needs. */
export class InboxAccess extends Context.Service<
  InboxAccess,
  {
    /** Judges an API key or a dashboard token; the user's role is looked up, never read from the token. */
    readonly identify: (
      credential: Credential
    ) => Effect.Effect<Caller, Unauthorized | IdentityUnavailable | StoreUnavailable>
    /** Row 2: the scope that the caller asks for and may have. */
    readonly resolveScope: (
      caller: Caller,
      request: ScopeRequest
    ) => Effect.Effect<ScopedCaller, ScopeRefused | ManagedUserNotFound | StoreUnavailable>
    /** Row 3: the plan gate. */
    readonly entitle: (scoped: ScopedCaller) => Effect.Effect<EntitledCaller, PlanFeatureNotAvailable>
    /**
     * Rows 1–3 of api.md §2 for an inbox request, in their order, all read anew. Whatever fails for a passing reason
     * is `ScopeLookupFailed`: nothing has run.
     */
    readonly enterInbox: (request: InboxRequest) => Effect.Effect<EntitledCaller, InboxRefused>
    /** The inbox for the service that embeds this one, which has judged its own caller; the plan gate holds. */
    readonly enterEmbedded: (
      workspaceId: string,
      externalUserId: Option.Option<string>
    ) => Effect.Effect<
      EntitledCaller,
      WorkspaceNotFound | ManagedUserNotFound | PlanFeatureNotAvailable | StoreUnavailable
    >
    /**
     * Workspaces of which a caller may now be refused, for those who hold an entitlement for long: `none` is all of
     * them. A word may be lost.
     */
    readonly changes: Stream.Stream<Option.Option<WorkspaceId>>
  }
>()("@loopbox/core/access/InboxAccess") {
  static readonly layer: Layer.Layer<InboxAccess, never, AccessPorts> = Layer.effect(
    InboxAccess,
    Effect.suspend(() => make)
  )
}

type AccessPorts = Access | AccessChanges | ManagedUsers | Members | Workspaces

/** A dashboard user can't do what a workspace's key does: media and conversions (§5.7). */
export const requireKey = (caller: Caller): Effect.Effect<KeyCaller, ApiKeyRequired> =>
  caller._tag === "KeyCaller" ? Effect.succeed(caller) : Effect.fail(new ApiKeyRequired())

/** The one workspace that token and request name between them. */
const namedWorkspace = (claimed: Option.Option<string>, given: Option.Option<string>): Option.Option<string> =>
  Option.isSome(claimed) && Option.isSome(given) && claimed.value !== given.value
    ? Option.none()
    : Option.orElse(claimed, () => given)

const make = Effect.gen(function* () {
  const { authenticate } = yield* Access
  const { changes } = yield* AccessChanges
  const members = yield* Members
  const managedUsers = yield* ManagedUsers
  const workspaces = yield* Workspaces
  const identity = yield* DashboardIdentity
  const plans = yield* InboxPlans

  const identifyUser = Effect.fnUntraced(function* ({ token, workspaceId }: Credential) {
    const user = yield* identity.verify(token)
    const named = namedWorkspace(user.workspaceId, workspaceId)
    if (Option.isNone(named)) return yield* new Unauthorized()
    const caller: DashboardCaller = {
      _tag: "DashboardCaller",
      userId: user.userId,
      membership: isWorkspaceId(named.value) ? yield* members.findMembership(named.value, user.userId) : Option.none()
    }
    return caller
  })

  const identify = Effect.fnUntraced(function* (credential: Credential) {
    // What looks like a key is never shown to the identity provider's verifier.
    return Redacted.value(credential.token).startsWith("lbx_")
      ? yield* authenticate(credential.token)
      : yield* identifyUser(credential)
  }, Effect.withSpan("InboxAccess.identify"))

  const resolveScope = Effect.fnUntraced(function* (caller: Caller, request: ScopeRequest) {
    const claim = yield* Effect.fromResult(ScopeClaim.judge(caller, request))
    const user = Option.isSome(claim.externalUserId)
      ? yield* managedUsers.find(claim.workspace.id, claim.externalUserId.value)
      : Option.none()
    return yield* Effect.fromResult(ScopedCaller.confirm(claim, user))
  }, Effect.withSpan("InboxAccess.resolveScope"))

  const entitle = (scoped: ScopedCaller) => Effect.fromResult(EntitledCaller.judge(scoped, plans))

  const enterInbox = Effect.fn("InboxAccess.enterInbox")(
    function* (request: InboxRequest) {
      if (Option.isNone(request.credential)) return yield* new Unauthorized()
      const caller = yield* identify(request.credential.value)
      return yield* entitle(yield* resolveScope(caller, request))
    },
    Effect.catchTags({
      StoreUnavailable: (cause) => Effect.fail(new ScopeLookupFailed({ cause })),
      IdentityUnavailable: (cause) => Effect.fail(new ScopeLookupFailed({ cause }))
    })
  )

  const enterEmbedded = Effect.fn("InboxAccess.enterEmbedded")(function* (
    workspaceId: string,
    externalUserId: Option.Option<string>
  ) {
    const workspace = isWorkspaceId(workspaceId) ? yield* workspaces.find(workspaceId) : Option.none()
    if (Option.isNone(workspace)) return yield* new WorkspaceNotFound({ workspaceId })
    if (Option.isNone(externalUserId)) return yield* entitle(ScopedCaller.embedded(workspace.value, Option.none()))
    const user = yield* managedUsers.find(workspace.value.id, externalUserId.value)
    if (Option.isNone(user)) return yield* new ManagedUserNotFound({ externalUserId: externalUserId.value })
    return yield* entitle(ScopedCaller.embedded(workspace.value, user))
  })

  return InboxAccess.of({ identify, resolveScope, entitle, enterInbox, enterEmbedded, changes })
})

const isWorkspaceId = Schema.is(WorkspaceId)
