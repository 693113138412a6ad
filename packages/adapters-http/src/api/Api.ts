import * as HttpApi from "effect/http-api/HttpApi"
import * as OpenApi from "effect/http-api/OpenApi"
import { AccountsApi } from "./admin/AccountsApi.ts"
import { AdminApi } from "./admin/AdminApi.ts"
import { ConnectApi } from "./accounts/ConnectApi.ts"
import { ConnectedAccountsApi } from "./accounts/ConnectedAccountsApi.ts"
import { ConversionsApi } from "./media/ConversionsApi.ts"
import { EndpointsApi } from "./endpoints/EndpointsApi.ts"
import { EventBody, HelloBody, ResyncBody } from "./inbox/EventBody.ts"
import { InboxApi } from "./inbox/InboxApi.ts"
import { ModerationApi } from "./inbox/ModerationApi.ts"
import { OutboundApi } from "./inbox/OutboundApi.ts"
import { MediaApi } from "./media/MediaApi.ts"
import { OverlaysApi } from "./media/OverlaysApi.ts"
import { PostsApi } from "./posts/PostsApi.ts"
import { completeDocument } from "./openApiDocument.ts"
import { NotesApi } from "./inbox/NotesApi.ts"
import { SavedRepliesApi } from "./inbox/SavedRepliesApi.ts"
import { SyncApi } from "./inbox/SyncApi.ts"
import { LabelsApi, ThreadsApi } from "./inbox/ThreadsApi.ts"
import { UsageApi } from "./usage/UsageApi.ts"
import { AuditApi } from "./audit/AuditApi.ts"
import { apiVersion } from "./apiVersion.ts"
import { SystemApi } from "./SystemApi.ts"

/** The whole HTTP API: what it looks like on the wire; nothing here runs. */
export class Api extends HttpApi.make("loopbox")
  .add(InboxApi)
  .add(SyncApi)
  .add(OutboundApi)
  .add(ModerationApi)
  .add(SavedRepliesApi)
  .add(ThreadsApi)
  .add(LabelsApi)
  .add(NotesApi)
  .add(ConnectApi)
  .add(ConnectedAccountsApi)
  .add(PostsApi)
  .add(ConversionsApi)
  .add(OverlaysApi)
  .add(MediaApi)
  .add(EndpointsApi)
  .add(UsageApi)
  .add(AuditApi)
  .add(AdminApi)
  .add(AccountsApi)
  .add(SystemApi)
  .annotate(HttpApi.AdditionalSchemas, [EventBody, HelloBody, ResyncBody])
  .annotate(HttpApi.ParseOptions, { errors: "all" })
  .annotateMerge(
    OpenApi.annotations({
      title: "Loopbox",
      version: apiVersion,
      description:
        "Social inbox, GIF-to-MP4 conversion, audio overlays and media. Answers are `{data, request_id}` or `{error: {code, message, details?}, " +
        "request_id}`; clients ignore members and codes that they do not know.",
      license: { name: "MIT", identifier: "MIT" },
      servers: [{ url: "/", description: "The host that serves this document." }],
      transform: completeDocument
    })
  ) {}
