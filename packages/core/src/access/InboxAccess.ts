import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Stream from "effect/Stream"
import { WorkspaceId } from "../kernel/Ids.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import { Access } from "./Access.ts"
import { AccessChanges } from "./AccessChanges.ts"
import {
  ApiKeyRequired,
  type IdentityUnavailable,
  type InsufficientRole,
  ManagedUserNotFound,
  type PlanFeatureNotAvailable,
  type ScopeInvalid,
  ScopeLookupFailed,
  Unauthorized,
  WorkspaceNotFound
} from "./AccessErrors.ts"
import type { Caller, KeyCaller, OperatorCaller } from "./Caller.ts"
import { EntitledCaller, ScopedCaller } from "./EntitledCaller.ts"
import { ManagedUsers } from "../workspaces/ManagedUsers.ts"
import type { Role } from "../workspaces/Role.ts"
import { Members } from "../workspaces/Members.ts"
import type { ScopeRefused, ScopeRequest } from "./ScopeClaim.ts"
import { isWorkspaceId, makeEntering } from "./entering.ts"
import type { Credential, InboxRequest } from "./InboxRequest.ts"
import { lookupsAlone, lookupsTogether } from "./lookups.ts"

export type { Credential, InboxRequest }

/** The refusals of rows 1–3 of api.md §2. */
export type InboxRefused =
  | Unauthorized
  | ScopeRefused
  | ManagedUserNotFound
  | ScopeLookupFailed
  | PlanFeatureNotAvailable

/**
 * Driving service: checks the caller, the scope and the plan of an inbox request. Each step returns the value that the
 * next one requires.
 */
export class InboxAccess extends Context.Service<
  InboxAccess,
  {
    /** Verifies an API key or a dashboard token. The user's role is looked up, never read from the token. */
    readonly identify: (
      credential: Credential
    ) => Effect.Effect<Caller, Unauthorized | IdentityUnavailable | StoreUnavailable>
    /** Rows 2 and 3, in order: the requested scope, if the caller may have it, then the plan gate. */
    readonly enterScope: (
      caller: Caller,
      request: ScopeRequest
    ) => Effect.Effect<EntitledCaller, ScopeRefused | ManagedUserNotFound | PlanFeatureNotAvailable | StoreUnavailable>
    /**
     * Row 2 for a request that may leave its scope out, and for any API key: accounts, connecting and posts (api-2.md §11,
     * §12). A dashboard user must have at least this role, `admin` unless said otherwise. The plan is not judged.
     */
    readonly enterOptionalScope: (
      caller: Caller,
      rawQuery: string,
      leastRole?: Role
    ) => Effect.Effect<ScopedCaller, ScopeInvalid | InsufficientRole | ManagedUserNotFound | StoreUnavailable>
    /**
     * Rows 1–3 of api.md §2 for an inbox request, in this order, without a cache. Temporary failures become
     * `ScopeLookupFailed`: nothing has run.
     */
    readonly enterInbox: (request: InboxRequest) => Effect.Effect<EntitledCaller, InboxRefused>
    /**
     * Judges as `enterInbox` does, some milliseconds later: what it reads is read together with what others of the same
     * workspace ask for meanwhile. For what is open and is judged again.
     */
    readonly enterInboxTogether: (request: InboxRequest) => Effect.Effect<EntitledCaller, InboxRefused>
    /** For a service that embeds this one and has authorised its own caller. The plan gate applies. */
    readonly enterEmbedded: (
      workspaceId: string,
      externalUserId: Option.Option<string>
    ) => Effect.Effect<
      EntitledCaller,
      WorkspaceNotFound | ManagedUserNotFound | PlanFeatureNotAvailable | StoreUnavailable
    >
    /** The same without the plan gate: for posts. */
    readonly enterEmbeddedScope: (
      workspaceId: string,
      externalUserId: Option.Option<string>
    ) => Effect.Effect<ScopedCaller, WorkspaceNotFound | ManagedUserNotFound | StoreUnavailable>
    /**
     * Workspaces in which access may have been revoked, for long-lived subscriptions; `none` means any workspace. A
     * notification may be lost.
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

/** Refuses dashboard users: media and conversions need an API key (§5.7), or the operator in the console. */
export const requireKey = (caller: Caller): Effect.Effect<KeyCaller | OperatorCaller, ApiKeyRequired> =>
  caller._tag === "DashboardCaller" || caller._tag === "ManagedUserCaller"
    ? Effect.fail(new ApiKeyRequired())
    : Effect.succeed(caller)

const make = Effect.gen(function* () {
  const { changes } = yield* AccessChanges
  const managedUsers = yield* ManagedUsers
  const workspaces = yield* Workspaces
  const { enterInbox, enterOptionalScope, enterScope, entitle, identify } = yield* makeEntering(yield* lookupsAlone)
  const { enterInbox: enterInboxTogether } = yield* makeEntering(yield* lookupsTogether)

  const enterEmbeddedScope = Effect.fn("InboxAccess.enterEmbeddedScope")(function* (
    workspaceId: string,
    externalUserId: Option.Option<string>
  ) {
    const workspace = isWorkspaceId(workspaceId) ? yield* workspaces.find(workspaceId) : Option.none()
    if (Option.isNone(workspace)) return yield* new WorkspaceNotFound({ workspaceId })
    if (Option.isNone(externalUserId)) return ScopedCaller.embedded(workspace.value, Option.none())
    const user = yield* managedUsers.find(workspace.value.id, externalUserId.value)
    if (Option.isNone(user)) return yield* new ManagedUserNotFound({ externalUserId: externalUserId.value })
    return ScopedCaller.embedded(workspace.value, user)
  })

  const enterEmbedded = (workspaceId: string, externalUserId: Option.Option<string>) =>
    Effect.flatMap(enterEmbeddedScope(workspaceId, externalUserId), entitle)

  return InboxAccess.of({
    identify,
    enterScope,
    enterOptionalScope,
    enterInbox,
    enterInboxTogether,
    enterEmbedded,
    enterEmbeddedScope,
    changes
  })
})
