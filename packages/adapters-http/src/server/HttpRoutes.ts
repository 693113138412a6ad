import * as Layer from "effect/Layer"
import * as Headers from "effect/http/Headers"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import * as HttpRouter from "effect/http/HttpRouter"
import * as UrlParams from "effect/http/UrlParams"
import * as ByteSize from "effect/ByteSize"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../api/Api.ts"
import * as AccountsHandlers from "./admin/AccountsHandlers.ts"
import * as AdminHandlers from "./admin/AdminHandlers.ts"
import { AddressLimits } from "./access/AddressLimits.ts"
import * as authentication from "./access/authentication.ts"
import * as accountsAuthorization from "./accounts/accountsAuthorization.ts"
import * as ConnectHandlers from "./accounts/ConnectHandlers.ts"
import * as ConnectedAccountsHandlers from "./accounts/ConnectedAccountsHandlers.ts"
import * as ConversionsHandlers from "./conversions/ConversionsHandlers.ts"
import * as ConsoleRoutes from "./console/ConsoleRoutes.ts"
import * as ConnectRoutes from "./connect/ConnectRoutes.ts"
import * as AuditHandlers from "./audit/AuditHandlers.ts"
import * as auditAuthorization from "./audit/auditAuthorization.ts"
import { Cursors } from "./edge/Cursors.ts"
import * as documents from "./docs/documents.ts"
import * as guideRoutes from "./docs/guideRoutes.ts"
import * as EndpointsHandlers from "./endpoints/EndpointsHandlers.ts"
import * as edge from "./edge/edge.ts"
import * as inboxAuthorization from "./inbox/inboxAuthorization.ts"
import * as presence from "./inbox/presence.ts"
import * as InboxHandlers from "./inbox/InboxHandlers.ts"
import * as InboxSocket from "./sockets/InboxSocket.ts"
import { MediaLinks } from "./media/linkSigning.ts"
import * as MediaHandlers from "./media/MediaHandlers.ts"
import * as ModerationHandlers from "./inbox/ModerationHandlers.ts"
import * as OutboundHandlers from "./inbox/OutboundHandlers.ts"
import * as OverlaysHandlers from "./overlays/OverlaysHandlers.ts"
import * as PostsHandlers from "./posts/PostsHandlers.ts"
import * as postsAuthorization from "./posts/postsAuthorization.ts"
import { RateLimits } from "./edge/RateLimits.ts"
import { findPath, routerConfig } from "./edge/routeTable.ts"
import * as NotesHandlers from "./inbox/NotesHandlers.ts"
import * as LabelsHandlers from "./inbox/LabelsHandlers.ts"
import * as SavedRepliesHandlers from "./inbox/SavedRepliesHandlers.ts"
import { Signer } from "./media/Signer.ts"
import * as SyncHandlers from "./inbox/SyncHandlers.ts"
import * as ThreadsHandlers from "./inbox/ThreadsHandlers.ts"
import * as SystemHandlers from "./system/SystemHandlers.ts"
import * as UsageHandlers from "./usage/UsageHandlers.ts"
import * as workspaceAuthorization from "./usage/workspaceAuthorization.ts"
import * as Validation from "./edge/Validation.ts"
import * as MetaCallbackRoutes from "./webhooks/MetaCallbackRoutes.ts"
import * as WebhookRoutes from "./webhooks/WebhookRoutes.ts"

/**
 * Every route as one layer. It needs the driving services, `HttpSettings`, `OpenSockets`, `SecureRandom`, `Digest`, `Mac`
 * and effect's HTTP services; `node/serve.ts`, `node/mount.ts` and `web/mount.ts` put it behind a port or into somebody else's server.
 */
export const layer = HttpApiBuilder.layer(Api, { openapiPath: "/openapi.json" }).pipe(
  Layer.provide([
    InboxHandlers.layer,
    SyncHandlers.layer,
    OutboundHandlers.layer,
    ModerationHandlers.layer,
    SavedRepliesHandlers.layer,
    LabelsHandlers.layer,
    NotesHandlers.layer,
    ThreadsHandlers.layer,
    ConnectHandlers.layer,
    ConnectedAccountsHandlers.layer,
    PostsHandlers.layer,
    ConversionsHandlers.layer,
    OverlaysHandlers.layer,
    MediaHandlers.layer,
    EndpointsHandlers.layer,
    UsageHandlers.layer,
    AuditHandlers.layer,
    AdminHandlers.layer,
    AccountsHandlers.layer,
    SystemHandlers.layer
  ]),
  Layer.provide([
    authentication.layer,
    inboxAuthorization.layer,
    presence.layer,
    accountsAuthorization.layer,
    postsAuthorization.layer,
    workspaceAuthorization.layer,
    auditAuthorization.layer,
    Validation.layer
  ]),
  Layer.merge(documents.layer),
  Layer.merge(guideRoutes.layer),
  Layer.merge(InboxSocket.layer),
  Layer.merge(WebhookRoutes.layer),
  Layer.merge(MetaCallbackRoutes.layer),
  Layer.merge(ConnectRoutes.layer),
  Layer.merge(ConsoleRoutes.layer),
  Layer.merge(edge.layer),
  Layer.provide([MediaLinks.layer, Cursors.layer, RateLimits.layer, AddressLimits.layer]),
  Layer.provide(Signer.layer)
)

/** Query members that stand in no log and no span (design §10). */
export const redactedParams = [
  "token",
  "sig",
  "access_token",
  "refresh_token",
  "client_secret",
  "appsecret_proof",
  "hub.verify_token",
  "crc_token",
  "state",
  "code",
  "cursor",
  "external_user_id",
  "q"
] as const

const redactedHeaders = [
  "authorization",
  "cookie",
  "set-cookie",
  "location",
  "referer",
  "x-api-key",
  "idempotency-key",
  "x-filename"
] as const

/** Asked all the time; and what people's browsers open, with a secret in its address. */
const isUntraced = (url: string) => /^\/(?:livez|readyz|metrics)$/.test(url) || url.startsWith("/connect/")

/** How effect's HTTP server has to behave for `layer`: provide it around whatever runs the routes. */
export const references = Layer.mergeAll(
  Layer.succeed(HttpRouter.RouterConfig, routerConfig),
  Layer.succeed(HttpIncomingMessage.MaxBodySize, ByteSize.mebibytes(1)),
  Layer.succeed(UrlParams.CurrentRedactedNames, redactedParams),
  Layer.succeed(Headers.CurrentRedactedNames, redactedHeaders),
  // A pattern, for an address would make a name of its own of every file.
  Layer.succeed(HttpMiddleware.SpanNameGenerator, ({ method, url }) => `${method} ${findPath(url)?.pattern ?? "none"}`),
  Layer.succeed(HttpMiddleware.TracerDisabledWhen, ({ url }) => isUntraced(url))
)
