import * as Schema from "effect/Schema"
import { ApiKeyId, WorkspaceId } from "../kernel/Ids.ts"

/** A workspace API key as it is stored; only the SHA-256 of the secret. */
export class ApiKey extends Schema.Class<ApiKey>("@loopbox/core/workspaces/ApiKey")({
  id: ApiKeyId,
  workspaceId: WorkspaceId,
  name: Schema.String,
  /** The member that the key acts for. Without one the key has no workspace scope (design §3). */
  creatorUserId: Schema.Option(Schema.String),
  /** SHA-256 of the whole key, lower-case hex. */
  secretHash: Schema.String,
  createdAt: Schema.DateTimeUtc,
  expiresAt: Schema.Option(Schema.DateTimeUtc),
  lastUsedAt: Schema.Option(Schema.DateTimeUtc)
}) {}
