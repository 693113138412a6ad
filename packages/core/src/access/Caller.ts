import type * as Option from "effect/Option"
import type { ApiKeyId } from "../kernel/Ids.ts"
import type { Workspace } from "../plans/Workspace.ts"
import type { Role } from "./Role.ts"

/** A workspace's API key, as it stands now. */
export interface KeyCaller {
  readonly _tag: "KeyCaller"
  readonly keyId: ApiKeyId
  readonly workspace: Workspace
  /** The member that the key acts for; absent for a key without a creator. */
  readonly creator: Option.Option<{ readonly userId: string; readonly role: Role }>
}

/** What a user is in a workspace, as it stands now. */
export interface Membership {
  readonly workspace: Workspace
  readonly role: Role
}

/** A user of the dashboard, whom the identity provider vouches for. */
export interface DashboardCaller {
  readonly _tag: "DashboardCaller"
  readonly userId: string
  /** In the workspace that the token or the request names; absent when there is none. */
  readonly membership: Option.Option<Membership>
}

/** Who calls (§5). */
export type Caller = KeyCaller | DashboardCaller
