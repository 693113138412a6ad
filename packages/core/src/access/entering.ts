import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { WorkspaceId } from "../kernel/Ids.ts"
import { traced } from "../kernel/traced.ts"
import type { Role } from "../workspaces/Role.ts"
import { ScopeLookupFailed, Unauthorized } from "./AccessErrors.ts"
import type { Caller, DashboardCaller, ManagedUserCaller, OperatorCaller } from "./Caller.ts"
import type { Identity } from "./DashboardIdentity.ts"
import { EntitledCaller, ScopedCaller } from "./EntitledCaller.ts"
import type { Credential, InboxRequest } from "./InboxRequest.ts"
import { inboxPlans } from "./InboxPlans.ts"
import type { AccessLookups } from "./lookups.ts"
import { ScopeClaim, type ScopeRequest } from "./ScopeClaim.ts"

/** The workspace that the token or the request names; refused if neither does, or they name different ones. */
const namedWorkspace = (
  claimed: Option.Option<string>,
  given: Option.Option<string>
): Result.Result<string, Unauthorized> => {
  if (Option.isSome(claimed) && Option.isSome(given) && claimed.value !== given.value)
    return Result.fail(new Unauthorized({ reason: "workspace_differs" }))
  const named = Option.orElse(claimed, () => given)
  return Result.fromOption(named, () => new Unauthorized({ reason: "workspace_required" }))
}

/** The steps of a request into an inbox, over what is read for them. */
export const makeEntering = Effect.fnUntraced(function* (lookups: AccessLookups) {
  const plans = yield* inboxPlans

  const identifyOperator = Effect.fnUntraced(function* ({ token, workspaceId }: Credential) {
    if (!(yield* lookups.isConsole(token)) || Option.isNone(workspaceId)) return yield* new Unauthorized()
    const workspace = isWorkspaceId(workspaceId.value) ? yield* lookups.findWorkspace(workspaceId.value) : Option.none()
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
    if (Option.isNone(user.workspaceId)) return yield* new Unauthorized({ reason: "workspace_unclaimed" })
    const named = yield* Effect.fromResult(namedWorkspace(user.workspaceId, given))
    const workspace = isWorkspaceId(named) ? yield* lookups.findWorkspace(named) : Option.none()
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
    const user = yield* lookups.verify(token)
    const boundTo = user.externalUserId ?? Option.none()
    if (Option.isSome(boundTo)) return yield* identifyBound(user, workspaceId, boundTo.value)
    const named = yield* Effect.fromResult(namedWorkspace(user.workspaceId, workspaceId))
    const caller: DashboardCaller = {
      _tag: "DashboardCaller",
      userId: user.userId,
      membership: isWorkspaceId(named) ? yield* lookups.findMembership(named, user.userId) : Option.none()
    }
    return caller
  })

  const identify = Effect.fnUntraced(function* (credential: Credential) {
    if (credential.isOfConsole === true) return yield* identifyOperator(credential)
    // A token that looks like an API key is never passed to the identity provider's verifier.
    return Redacted.value(credential.token).startsWith("lbx_")
      ? yield* lookups.authenticate(credential.token)
      : yield* identifyUser(credential)
  }, traced("InboxAccess.identify"))

  const entitle = (scoped: ScopedCaller) => Effect.fromResult(EntitledCaller.judge(scoped, plans))

  const confirm = Effect.fnUntraced(function* (claim: ScopeClaim) {
    const user = Option.isSome(claim.externalUserId)
      ? yield* lookups.findManagedUser(claim.workspace.id, claim.externalUserId.value)
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

  return { identify, entitle, enterScope, enterOptionalScope, enterInbox }
})

export const isWorkspaceId = Schema.is(WorkspaceId)
