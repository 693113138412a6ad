import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { Source } from "../networks/Source.ts"
import type { Workspace } from "../workspaces/Workspace.ts"
import { ManagedUserNotFound, PlanFeatureNotAvailable } from "./AccessErrors.ts"
import { type InboxPlanTable, leastPlanWith } from "./InboxPlans.ts"
import { type InboxScope, ManagedUserScope, WorkspaceScope } from "./InboxScope.ts"
import type { ManagedUser } from "../workspaces/ManagedUsers.ts"
import { type QueryPair, valuesOf } from "./rawQuery.ts"
import type { ScopeClaim } from "./ScopeClaim.ts"

/**
 * A caller whose scope was verified (row 2 of api.md §2).
 *
 * Can only be made from a claim of `ScopeClaim.judge`, or for an embedding service, so that skipping a check is a type
 * error.
 */
export class ScopedCaller {
  readonly workspace: Workspace
  readonly scope: InboxScope
  /** The request's query, for later steps. */
  readonly query: ReadonlyArray<QueryPair>
  /** Makes the type nominal. */
  protected readonly isProven = true

  private constructor(workspace: Workspace, scope: InboxScope, query: ReadonlyArray<QueryPair>) {
    this.workspace = workspace
    this.scope = scope
    this.query = query
  }

  /** Row 2k: the managed user of a claim must exist. */
  static confirm(
    claim: ScopeClaim,
    managedUser: Option.Option<ManagedUser>
  ): Result.Result<ScopedCaller, ManagedUserNotFound> {
    const { externalUserId, query, workspace } = claim
    if (Option.isNone(externalUserId)) {
      return Result.succeed(new ScopedCaller(workspace, new WorkspaceScope({ workspaceId: workspace.id }), query))
    }
    return Option.exists(managedUser, (user) => user.externalUserId === externalUserId.value)
      ? Result.succeed(
          new ScopedCaller(
            workspace,
            new ManagedUserScope({ workspaceId: workspace.id, externalUserId: externalUserId.value }),
            query
          )
        )
      : Result.fail(new ManagedUserNotFound({ externalUserId: externalUserId.value }))
  }

  /** For a service that embeds this one and has authorised its own caller. */
  static embedded(workspace: Workspace, managedUser: Option.Option<ManagedUser>): ScopedCaller {
    const scope = Option.match(managedUser, {
      onNone: () => new WorkspaceScope({ workspaceId: workspace.id }),
      onSome: ({ externalUserId }) => new ManagedUserScope({ workspaceId: workspace.id, externalUserId })
    })
    return new ScopedCaller(workspace, scope, [])
  }
}

/** A caller who passed the plan gate (row 3). Every inbox method requires one. */
export class EntitledCaller {
  readonly workspace: Workspace
  readonly scope: InboxScope
  /** The sources of the plan; lists, counts and events show no others. */
  readonly sources: ReadonlySet<Source>
  readonly query: ReadonlyArray<QueryPair>
  /** Makes the type nominal. */
  protected readonly isEntitled = true

  private constructor(scoped: ScopedCaller, sources: ReadonlySet<Source>) {
    this.workspace = scoped.workspace
    this.scope = scoped.scope
    this.query = scoped.query
    this.sources = sources
  }

  /** The plan gate. Checks only a single known value of `source`; the endpoint refuses other values. */
  static judge(scoped: ScopedCaller, table: InboxPlanTable): Result.Result<EntitledCaller, PlanFeatureNotAvailable> {
    const { plan } = scoped.workspace
    const given = valuesOf(scoped.query, "source")
    const source = Option.filter(Option.fromUndefinedOr(given.length === 1 ? given[0] : undefined), (named) =>
      Option.isSome(leastPlanWith(table, Option.some(named)))
    )
    const has = table[plan]
    const isIncluded = Option.match(source, { onNone: () => has.size > 0, onSome: (named) => has.has(named) })
    return isIncluded
      ? Result.succeed(new EntitledCaller(scoped, has))
      : Result.fail(new PlanFeatureNotAvailable({ plan, requiredPlan: leastPlanWith(table, source) }))
  }
}
