import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { WorkspaceId } from "../kernel/Ids.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { Membership } from "./Caller.ts"
import type { Role } from "./Role.ts"

/** Port: who belongs to a workspace, in which role. User ids are the customer's identity provider's. */
export class Members extends Context.Service<
  Members,
  {
    /** `absent`: there is no such workspace. */
    readonly set: (
      workspaceId: WorkspaceId,
      userId: string,
      role: Role
    ) => Effect.Effect<"created" | "changed" | "absent", StoreUnavailable>
    /** The workspace and the user's role in it, as they stand now: one indexed read for every request. */
    readonly findMembership: (
      workspaceId: WorkspaceId,
      userId: string
    ) => Effect.Effect<Option.Option<Membership>, StoreUnavailable>
    /** Answers whether there was such a member. */
    readonly remove: (workspaceId: WorkspaceId, userId: string) => Effect.Effect<boolean, StoreUnavailable>
  }
>()("@loopbox/core/access/Members") {}
