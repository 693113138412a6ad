import * as Schema from "effect/Schema"
import { ApiKeyId, WorkspaceId } from "../kernel/Ids.ts"

/** A workspace API key as it is kept: its secret only as SHA-256. */
export class ApiKey extends Schema.Class<ApiKey>("@loopbox/core/access/ApiKey")({
  id: ApiKeyId,
  workspaceId: WorkspaceId,
  name: Schema.String,
  /** The member that it acts for; without one it has no workspace scope (design §3). */
  creatorUserId: Schema.Option(Schema.String),
  /** SHA-256 of the whole key, lower-case hex. */
  secretHash: Schema.String,
  createdAt: Schema.DateTimeUtc,
  expiresAt: Schema.Option(Schema.DateTimeUtc),
  lastUsedAt: Schema.Option(Schema.DateTimeUtc)
}) {}
