import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
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
import type { Caller, DashboardCaller, KeyCaller, ManagedUserCaller, OperatorCaller } from "./Caller.ts"
import { ConsoleIdentity } from "./ConsoleSessions.ts"
import { DashboardIdentity, type Identity } from "./DashboardIdentity.ts"
import { EntitledCaller, ScopedCaller } from "./EntitledCaller.ts"
import { inboxPlans } from "./InboxPlans.ts"
import { ManagedUsers } from "../workspaces/ManagedUsers.ts"
import type { Role } from "../workspaces/Role.ts"
import { Members } from "../workspaces/Members.ts"
import { ScopeClaim, type ScopeRefused, type ScopeRequest } from "./ScopeClaim.ts"
import { traced } from "../kernel/traced.ts"

/** The credential of a request. */
export interface Credential {
  readonly token: Redacted.Redacted<string>
  /** The workspace that the request names in addition to a dashboard token, or to a console's session. */
  readonly workspaceId: Option.Option<string>
  /** Whether it is a console's session, which the edge has taken from its cookie. No other may call itself so. */
  readonly isOfConsole?: boolean
}

export interface InboxRequest extends ScopeRequest {
  /** Absent when it is missing or can't be parsed. */
  readonly credential: Option.Option<Credential>
}

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

/** The workspace that the token or the request names; `none` if they name different ones. */
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
  const plans = yield* inboxPlans
  const console = yield* ConsoleIdentity

  const identifyOperator = Effect.fnUntraced(function* ({ token, workspaceId }: Credential) {
    if (!(yield* console.stands(token)) || Option.isNone(workspaceId)) return yield* new Unauthorized()
    const workspace = isWorkspaceId(workspaceId.value) ? yield* workspaces.find(workspaceId.value) : Option.none()
    if (Option.isNone(workspace)) return yield* new Unauthorized()
    const caller: OperatorCaller = { _tag: "OperatorCaller", workspace: workspace.value }
    return caller
  })

  /** The token itself names the workspace: whoever holds it is no member whose role would say what is theirs. */
  const identifyBound = Effect.fnUntraced(function* (
    user: Identity,
    given: Option.Option<string>,
    externalUserId: string
  ) {
    const named = Option.isSome(user.workspaceId) ? namedWorkspace(user.workspaceId, given) : Option.none<string>()
    const workspace =
      Option.isSome(named) && isWorkspaceId(named.value) ? yield* workspaces.find(named.value) : Option.none()
    if (Option.isNone(workspace)) return yield* new Unauthorized()
    const caller: ManagedUserCaller = {
      _tag: "ManagedUserCaller",
      userId: user.userId,
      workspace: workspace.value,
      externalUserId
    }
    return caller
  })

  const identifyUser = Effect.fnUntraced(function* ({ token, workspaceId }: Credential) {
    const user = yield* identity.verify(token)
    const boundTo = user.externalUserId ?? Option.none()
    if (Option.isSome(boundTo)) return yield* identifyBound(user, workspaceId, boundTo.value)
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
    if (credential.isOfConsole === true) return yield* identifyOperator(credential)
    // A token that looks like an API key is never passed to the identity provider's verifier.
    return Redacted.value(credential.token).startsWith("lbx_")
      ? yield* authenticate(credential.token)
      : yield* identifyUser(credential)
  }, traced("InboxAccess.identify"))

  const entitle = (scoped: ScopedCaller) => Effect.fromResult(EntitledCaller.judge(scoped, plans))

  const confirm = Effect.fnUntraced(function* (claim: ScopeClaim) {
    const user = Option.isSome(claim.externalUserId)
      ? yield* managedUsers.find(claim.workspace.id, claim.externalUserId.value)
      : Option.none()
    return yield* Effect.fromResult(ScopedCaller.confirm(claim, user))
  })

  const enterScope = Effect.fnUntraced(function* (caller: Caller, request: ScopeRequest) {
    const claim = yield* Effect.fromResult(ScopeClaim.judge(caller, request))
    return yield* entitle(yield* confirm(claim))
  }, traced("InboxAccess.enterScope"))

  const enterOptionalScope = Effect.fnUntraced(function* (caller: Caller, rawQuery: string, leastRole?: Role) {
    return yield* confirm(yield* Effect.fromResult(ScopeClaim.judgeOptional(caller, rawQuery, leastRole)))
  }, traced("InboxAccess.enterOptionalScope"))

  const enterInbox = Effect.fn("InboxAccess.enterInbox")(
    function* (request: InboxRequest) {
      if (Option.isNone(request.credential)) return yield* new Unauthorized()
      return yield* enterScope(yield* identify(request.credential.value), request)
    },
    Effect.catchTags({
      StoreUnavailable: (cause) => Effect.fail(new ScopeLookupFailed({ cause })),
      IdentityUnavailable: (cause) => Effect.fail(new ScopeLookupFailed({ cause }))
    })
  )

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
    enterEmbedded,
    enterEmbeddedScope,
    changes
  })
})

const isWorkspaceId = Schema.is(WorkspaceId)
