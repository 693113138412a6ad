import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { WorkspaceId } from "../kernel/Ids.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { Workspace } from "./Workspace.ts"
import type { Role } from "./Role.ts"

/** A user's current role in a workspace. */
export interface Membership {
  readonly workspace: Workspace
  readonly role: Role
}

export interface Member {
  readonly userId: string
  readonly role: Role
}

/** Members by their user ids; `after` and `next` are the last user id of a page. */
export interface MemberPageRequest {
  readonly limit: number
  readonly after: Option.Option<string>
}

export interface MemberPage {
  readonly items: ReadonlyArray<Member>
  /** Absent on the last page. */
  readonly next: Option.Option<string>
}

/** Port: the members of a workspace and their roles. User ids come from the customer's identity provider. */
export class Members extends Context.Service<
  Members,
  {
    /** `absent`: the workspace does not exist. */
    readonly set: (
      workspaceId: WorkspaceId,
      userId: string,
      role: Role
    ) => Effect.Effect<"created" | "changed" | "absent", StoreUnavailable>
    /** The workspace and the user's current role in it: one indexed read for every request. */
    readonly findMembership: (
      workspaceId: WorkspaceId,
      userId: string
    ) => Effect.Effect<Option.Option<Membership>, StoreUnavailable>
    /** The same of several users in one read, by their ids; who is no member is left out. */
    readonly findMemberships: (
      workspaceId: WorkspaceId,
      userIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, Membership>, StoreUnavailable>
    /** Sorted by user id. */
    readonly list: (workspaceId: WorkspaceId, page: MemberPageRequest) => Effect.Effect<MemberPage, StoreUnavailable>
    /** Returns whether the member existed. */
    readonly remove: (workspaceId: WorkspaceId, userId: string) => Effect.Effect<boolean, StoreUnavailable>
  }
>()("@loopbox/core/workspaces/Members") {}
