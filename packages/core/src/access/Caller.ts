import type * as Option from "effect/Option"
import type { ApiKeyId } from "../kernel/Ids.ts"
import type { Workspace } from "../workspaces/Workspace.ts"
import type { Membership } from "../workspaces/Members.ts"
import type { Role } from "../workspaces/Role.ts"

/** A caller with an API key. */
export interface KeyCaller {
  readonly _tag: "KeyCaller"
  readonly keyId: ApiKeyId
  readonly workspace: Workspace
  /** The member that the key acts for; absent for a key without a creator. */
  readonly creator: Option.Option<{ readonly userId: string; readonly role: Role }>
}

/** A dashboard user, authenticated by the identity provider. */
export interface DashboardCaller {
  readonly _tag: "DashboardCaller"
  readonly userId: string
  /** The membership in the workspace that the token or the request names; absent when there is none. */
  readonly membership: Option.Option<Membership>
}

/**
 * One of our customers' customers, with a token that the identity provider has bound to a managed user: in a browser that
 * is theirs. A member of the workspace or not, they have that user's scope and nothing else.
 */
export interface ManagedUserCaller {
  readonly _tag: "ManagedUserCaller"
  readonly userId: string
  readonly workspace: Workspace
  readonly externalUserId: string
}

/** Whoever runs Loopbox, in the console, in the workspace that the request names. */
export interface OperatorCaller {
  readonly _tag: "OperatorCaller"
  readonly workspace: Workspace
}

/** Who calls (§5). */
export type Caller = KeyCaller | DashboardCaller | ManagedUserCaller | OperatorCaller
