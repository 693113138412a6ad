import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { Workspace } from "../workspaces/Workspace.ts"
import { InsufficientRole, KeyCreatorRequired, ScopeInvalid, ScopeRequired } from "./AccessErrors.ts"
import type { Caller, ManagedUserCaller } from "./Caller.ts"
import { parseRawQuery, type QueryPair, valuesOf } from "./rawQuery.ts"
import { type Role, roles } from "../workspaces/Role.ts"

export type ScopeRefused = ScopeRequired | ScopeInvalid | InsufficientRole | KeyCreatorRequired

export interface ScopeRequest {
  /** The text after `?`, undecoded. */
  readonly rawQuery: string
  /** A subscription must name its scope explicitly (§6). */
  readonly isExplicit: boolean
  /** What it is about belongs to the workspace: a managed user's scope is refused (api-2-decided B1). */
  readonly isOfWorkspace?: boolean
}

/** A scope that the caller may have. It is not known yet whether the managed user exists. */
export class ScopeClaim {
  readonly workspace: Workspace
  /** The requested managed user; absent for the whole workspace. */
  readonly externalUserId: Option.Option<string>
  readonly query: ReadonlyArray<QueryPair>
  /** Makes the type nominal. */
  protected readonly isJudged = true

  private constructor(workspace: Workspace, externalUserId: Option.Option<string>, query: ReadonlyArray<QueryPair>) {
    this.workspace = workspace
    this.externalUserId = externalUserId
    this.query = query
  }

  /** Rows 2a–2i of api.md §2, from top to bottom: the first refusal wins. */
  static judge(
    caller: Caller,
    { isExplicit, isOfWorkspace = false, rawQuery }: ScopeRequest
  ): Result.Result<ScopeClaim, ScopeRefused> {
    const query = parseRawQuery(rawQuery)
    if (Result.isFailure(query)) return Result.fail(query.failure)
    const isNamed = valuesOf(query.success, "inbox_scope").length > 0
    if (!isNamed && (isExplicit || caller._tag === "KeyCaller")) return Result.fail(new ScopeRequired())
    const claim = ScopeClaim.named(caller, query.success, "admin", isOfWorkspace)
    if (Result.isFailure(claim) || Option.isSome(claim.success.externalUserId) || caller._tag !== "KeyCaller")
      return claim
    return Result.andThen(judgeCreator(caller.creator), claim)
  }

  /**
   * Rows 2a–2i but 2b, 2g and 2h, for requests that may leave the scope out: then it is the workspace (api-2.md). Any API
   * key may ask.
   */
  static judgeOptional(
    caller: Caller,
    rawQuery: string,
    leastRole: Role = "admin"
  ): Result.Result<ScopeClaim, ScopeInvalid | InsufficientRole> {
    return Result.flatMap(parseRawQuery(rawQuery), (query) => ScopeClaim.named(caller, query, leastRole))
  }

  /** A token that is bound has the scope of its managed user, who may be left out, and no other. */
  private static bound(
    { externalUserId, workspace }: ManagedUserCaller,
    scope: "managed_user" | "workspace",
    given: string | undefined,
    query: ReadonlyArray<QueryPair>
  ): Result.Result<ScopeClaim, InsufficientRole> {
    return scope === "managed_user" && (given ?? externalUserId) === externalUserId
      ? Result.succeed(new ScopeClaim(workspace, Option.some(externalUserId), query))
      : Result.fail(new InsufficientRole())
  }

  private static named(
    caller: Caller,
    query: ReadonlyArray<QueryPair>,
    leastRole: Role,
    isOfWorkspace = false
  ): Result.Result<ScopeClaim, ScopeInvalid | InsufficientRole> {
    const scopes = valuesOf(query, "inbox_scope")
    const users = valuesOf(query, "external_user_id")
    if (scopes.length > 1 || users.length > 1) return invalid("duplicate_parameter")
    const scope = scopes[0] ?? (caller._tag === "ManagedUserCaller" ? "managed_user" : "workspace")
    if (scope !== "managed_user" && scope !== "workspace") return invalid("unknown_scope")
    if (isOfWorkspace && scope === "managed_user") return invalid("workspace_required")
    if (caller._tag === "ManagedUserCaller") return ScopeClaim.bound(caller, scope, users[0], query)
    const workspace = workspaceOf(caller, leastRole)
    if (Result.isFailure(workspace)) return Result.fail(workspace.failure)
    if (scope === "managed_user") {
      return Result.map(
        judgeExternalUserId(users[0]),
        (externalUserId) => new ScopeClaim(workspace.success, Option.some(externalUserId), query)
      )
    }
    return users.length > 0
      ? invalid("external_user_id_not_allowed")
      : Result.succeed(new ScopeClaim(workspace.success, Option.none(), query))
  }
}

const invalid = (reason: ScopeInvalid["reason"]) => Result.fail(new ScopeInvalid({ reason }))

const isAtLeast = (role: Role, least: Role): boolean => roles.indexOf(role) >= roles.indexOf(least)

/** Row 2e: a dashboard user needs a role; API keys have rows of their own, the operator may all, and a bound token nothing of the workspace. */
export const workspaceOf = (caller: Caller, leastRole: Role): Result.Result<Workspace, InsufficientRole> => {
  if (caller._tag === "ManagedUserCaller") return Result.fail(new InsufficientRole())
  if (caller._tag !== "DashboardCaller") return Result.succeed(caller.workspace)
  const { membership } = caller
  return Option.isSome(membership) && isAtLeast(membership.value.role, leastRole)
    ? Result.succeed(membership.value.workspace)
    : Result.fail(new InsufficientRole())
}

/** Rows 2g and 2h. */
const judgeCreator = (
  creator: Option.Option<{ readonly role: Role }>
): Result.Result<void, KeyCreatorRequired | InsufficientRole> => {
  if (Option.isNone(creator)) return Result.fail(new KeyCreatorRequired())
  return isAtLeast(creator.value.role, "admin") ? Result.succeed(undefined) : Result.fail(new InsufficientRole())
}

/** Who may see all of a workspace, whoever did it: 2e of a dashboard user, 2g and 2h of a key (api-2-decided B19). */
export const judgeOverseer = (caller: Caller): Result.Result<Workspace, InsufficientRole | KeyCreatorRequired> =>
  Result.gen(function* () {
    const workspace = yield* workspaceOf(caller, "admin")
    if (caller._tag === "KeyCaller") yield* judgeCreator(caller.creator)
    return workspace
  })

/** Longest id of a managed user, in characters. */
export const maxExternalUserId = 256

/** Row 2i. The id is compared exactly; case and spaces count. */
export const judgeExternalUserId = (given: string | undefined): Result.Result<string, ScopeInvalid> => {
  if (given === undefined || given.trim() === "") return invalid("external_user_id_required")
  return Array.from(given).length > maxExternalUserId ? invalid("external_user_id_invalid") : Result.succeed(given)
}
