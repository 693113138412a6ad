import { layerNetworks } from "@loopbox/testing/fixtures/networks"
import { Access } from "@loopbox/core/access/Access"
import { silently } from "@loopbox/testing/layers/inboxLayers"
import { AccountAdministration } from "@loopbox/core/access/AccountAdministration"
import { Administration } from "@loopbox/core/access/Administration"
import { InboxAccess } from "@loopbox/core/access/InboxAccess"
import { Conversions } from "@loopbox/core/conversions/Conversions"
import { Overlays } from "@loopbox/core/overlays/Overlays"
import * as FakeMediaLinks from "@loopbox/testing/fakes/FakeMediaLinks"
import * as FakeConnector from "@loopbox/testing/fakes/FakeConnector"
import { AccountTokens } from "@loopbox/core/accounts/AccountTokens"
import { EventFeed } from "@loopbox/core/feed/EventFeed"
import { Inbox } from "@loopbox/core/inbox/Inbox"
import { SavedReplies } from "@loopbox/core/savedReplies/SavedReplies"
import { Threads } from "@loopbox/core/threads/Threads"
import { Sync } from "@loopbox/core/sync/Sync"
import { MediaContexts } from "@loopbox/core/inbox/MediaContexts"
import { Moderations } from "@loopbox/core/moderation/Moderations"
import { Replies } from "@loopbox/core/replies/Replies"
import { Webhooks } from "@loopbox/core/webhooks/Webhooks"
import * as MemoryAdapters from "@loopbox/adapters-memory/MemoryAdapters"
import { MediaLibrary } from "@loopbox/core/media/MediaLibrary"
import { Audit } from "@loopbox/core/audit/Audit"
import { ManagedUserExport } from "@loopbox/core/exporting/ManagedUserExport"
import { Usage } from "@loopbox/core/usage/Usage"
import type { Plan } from "@loopbox/core/workspaces/Plan"
import { animatedGif } from "@loopbox/testing/fakes/gifSamples"
import * as NodeWebhookSender from "@loopbox/adapters-http/node/sending/NodeWebhookSender"
import { EndpointDeliveries } from "@loopbox/core/outgoing/EndpointDeliveries"
import { WebhookEndpoints } from "@loopbox/core/outgoing/WebhookEndpoints"
import * as Serve from "@loopbox/adapters-http/node/serve"
import { Effect, Layer, Option, Redacted } from "effect"
import { HttpServer } from "effect/http"
import { connect } from "node:net"
import * as ScriptedConnecting from "./connect/scriptedConnecting.ts"

export const adminToken = "test-admin-token-of-more-than-32-characters"
export const signingKey = Redacted.make(new Uint8Array(32).fill(7))

/** The driving services, over the ports that are given. */
export const driving = Layer.mergeAll(
  InboxAccess.layer,
  Administration.layer({ keyMode: "test" }),
  silently(AccountAdministration.layer),
  MediaLibrary.layer,
  Conversions.layer,
  Overlays.layer,
  Usage.layer,
  Audit.layer,
  ManagedUserExport.layer,
  Inbox.layer,
  MediaContexts.layer,
  Replies.layer,
  Moderations.layer.pipe(Layer.provide(Inbox.layer)),
  SavedReplies.layer,
  Threads.layer,
  WebhookEndpoints.layer,
  EndpointDeliveries.layer,
  EventFeed.layer,
  Sync.layer(),
  Webhooks.layer,
  ScriptedConnecting.layer
).pipe(
  Layer.provideMerge(Access.layer),
  Layer.provideMerge(AccountTokens.layer),
  Layer.provideMerge(
    Layer.mergeAll(FakeConnector.layer, FakeMediaLinks.layer, NodeWebhookSender.layer({ allowsPrivate: true }))
  )
)

/** The driving services over memory; the ports stay visible, so that a test can look behind the wire. */
export const services = driving.pipe(Layer.provideMerge(MemoryAdapters.layer), Layer.provideMerge(layerNetworks))

/** A real server on a free port. */
export const serverWith = (options: Partial<Serve.ServeOptions> = {}) =>
  Serve.layer({ port: 0, signingKey, adminToken: Redacted.make(adminToken), rateLimit: "off", ...options })

export const server = serverWith().pipe(Layer.provideMerge(services))

export const portOf = Effect.map(HttpServer.HttpServer, ({ address }) => ("port" in address ? address.port : 0))
export const baseUrl = Effect.map(portOf, (port) => `http://127.0.0.1:${port}`)

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // What came over the wire is looked at as it is.
  readonly body: Wire
}

/** JSON as it came: every member may be looked at. */
export interface Wire {
  readonly [member: string]: Wire
}

const parse = (text: string): Wire => {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

export interface Call extends RequestInit {
  /** A stream as a body needs it. */
  readonly duplex?: "half"
  readonly key?: string
  readonly json?: unknown
}

/** One request over a real socket. */
export const call = Effect.fnUntraced(function* (method: string, path: string, { json, key, ...init }: Call = {}) {
  const url = path.startsWith("http") ? path : `${yield* baseUrl}${path}`
  const headers = new Headers(init.headers)
  if (key !== undefined) headers.set("authorization", `Bearer ${key}`)
  if (json !== undefined) headers.set("content-type", "application/json")
  const body = json === undefined ? init.body : JSON.stringify(json)
  const response = yield* Effect.promise((signal) =>
    fetch(url, { ...init, method, headers, signal, redirect: "manual", ...(body === undefined ? {} : { body }) })
  )
  const text = yield* Effect.promise(() => response.text())
  const answer: Answer = { status: response.status, headers: response.headers, text, body: parse(text) }
  return answer
})

/** Status and code, as most tests want them. */
export const codeOf = ({ body, status }: Answer): string => `${status} ${String(body["error"]?.["code"])}`

/** Paths of a validation error's issues. */
export const pathsOf = ({ body }: Answer): ReadonlyArray<string> => {
  const issues: unknown = body["error"]?.["details"]?.["issues"]
  return Array.isArray(issues) ? issues.map(({ path }) => String(path)) : []
}

/** A workspace of its own for each test, with a key. */
export const makeWorkspace = Effect.fnUntraced(function* (plan: Plan = "growth") {
  const administration = yield* Administration
  const none = { activeJobs: Option.none(), conversionsPer24Hours: Option.none() }
  const workspace = yield* administration.createWorkspace({ name: "Test", plan, limits: none })
  const issued = yield* administration.issueKey(workspace.id, {
    name: "test",
    creatorUserId: Option.none(),
    expiresAt: Option.none()
  })
  return { workspace, key: Redacted.value(issued.text), keyId: issued.key.id }
})

export const gif = animatedGif([10, 20])

/** Uploads a GIF and answers its id. */
export const uploadGif = Effect.fnUntraced(function* (
  key: string,
  bytes: Uint8Array<ArrayBuffer> | string = new Uint8Array(gif)
) {
  const answer = yield* call("POST", "/v1/media", { key, body: bytes, headers: { "content-type": "image/gif" } })
  return String(answer.body["data"]?.["id"])
})

/** Sends bytes as they are and collects what comes back until the server closes, or for a second of silence. */
export const sendRaw = (port: number, ...parts: ReadonlyArray<string | Uint8Array>) =>
  Effect.callback<string>((resume) => {
    const chunks: Array<Buffer> = []
    const socket = connect(port, "127.0.0.1", () => {
      for (const part of parts) socket.write(part)
    })
    const end = () => {
      socket.destroy()
      resume(Effect.succeed(Buffer.concat(chunks).toString()))
    }
    // A server that is busy answers late; what it says then comes in one piece.
    socket.setTimeout(30_000, end)
    socket.on("data", (chunk) => {
      chunks.push(chunk)
      socket.setTimeout(1000)
    })
    socket.on("error", end)
    socket.on("close", end)
    return Effect.sync(() => socket.destroy())
  })

/** A connection over which a part of a request was sent, and which then sends the rest. */
export const openRaw = (port: number, ...parts: ReadonlyArray<string | Uint8Array>) =>
  Effect.callback<{ readonly finish: (rest: Uint8Array) => Effect.Effect<string> }>((resume) => {
    const chunks: Array<Buffer> = []
    const closed = Promise.withResolvers<string>()
    const socket = connect(port, "127.0.0.1", () => {
      for (const part of parts.slice(0, -1)) socket.write(part)
      // Written is sent: the kernel takes it.
      socket.write(parts.at(-1) ?? "", () => resume(Effect.succeed({ finish })))
    })
    const finish = (rest: Uint8Array) =>
      Effect.promise(() => {
        socket.write(rest)
        return closed.promise
      })
    socket.on("data", (chunk) => chunks.push(chunk))
    socket.on("error", () => {})
    socket.on("close", () => closed.resolve(Buffer.concat(chunks).toString()))
  })
