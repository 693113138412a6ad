import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { ApiKeyId, WorkspaceId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { Workspace } from "./Workspace.ts"
import type { ApiKey } from "./ApiKey.ts"
import type { Role } from "./Role.ts"

/** A key with the current rights of a request that uses it. */
export interface KeyHolder {
  readonly key: ApiKey
  readonly workspace: Workspace
  /** The creator's role; absent when the key has no creator or the creator is no longer a member. */
  readonly creatorRole: Option.Option<Role>
}

/** Port: API keys. */
export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /** Returns `false`, and adds nothing, when the workspace does not exist or the creator is not a member of it. */
    readonly insert: (key: ApiKey) => Effect.Effect<boolean, StoreUnavailable>
    /** One indexed read for every request, so that a change applies to the next request on any node. */
    readonly findHolder: (id: ApiKeyId) => Effect.Effect<Option.Option<KeyHolder>, StoreUnavailable>
    readonly list: (workspaceId: WorkspaceId, page: PageRequest) => Effect.Effect<Page<ApiKey>, StoreUnavailable>
    /** Returns whether the key existed. */
    readonly revoke: (workspaceId: WorkspaceId, id: ApiKeyId) => Effect.Effect<boolean, StoreUnavailable>
    readonly touch: (workspaceId: WorkspaceId, id: ApiKeyId, at: DateTime.Utc) => Effect.Effect<void, StoreUnavailable>
  }
>()("@loopbox/core/workspaces/ApiKeys") {}
