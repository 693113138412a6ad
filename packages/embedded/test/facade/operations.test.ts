import { assert, describe, it } from "vitest"
import { Api } from "@loopbox/adapters-http"
import * as HttpApi from "effect/http-api/HttpApi"
import * as MemoryAdapters from "@loopbox/adapters-memory/MemoryAdapters"
import { readFileSync } from "node:fs"
import { createLoopbox } from "../../src/createLoopbox.ts"

/** The function that does what an endpoint does. A new endpoint is added here, with its function, or to `onlyHttp`. */
const functions: Readonly<Record<string, string>> = {
  "GET /v1/inbox": "inbox.list",
  "GET /v1/inbox/unread-count": "inbox.count",
  "POST /v1/inbox/mark-all-read": "inbox.markAllRead",
  "GET /v1/inbox/:id": "inbox.find",
  "POST /v1/inbox/:id/read": "inbox.markRead",
  "POST /v1/inbox/:id/unread": "inbox.markUnread",
  "POST /v1/inbox/:id/thread-state": "inbox.setThreadState",
  "POST /v1/inbox/sync": "inbox.sync",
  "GET /v1/inbox/sync/:id": "inbox.findSync",
  "POST /v1/inbox/:id/reply": "inbox.reply",
  "POST /v1/inbox/:id/private-reply": "inbox.replyPrivately",
  "GET /v1/inbox/:id/media-context": "inbox.findMediaContext",
  "GET /v1/inbox/outbound-operations/:id": "inbox.findOperation",
  "GET /v1/inbox/x-outbound-operations/:requestID": "inbox.findOperation",
  "POST /v1/inbox/batch": "moderation.batch",
  "POST /v1/inbox/:id/hide": "moderation.hide",
  "POST /v1/inbox/:id/unhide": "moderation.unhide",
  "POST /v1/inbox/:id/like": "moderation.like",
  "POST /v1/inbox/:id/unlike": "moderation.unlike",
  "DELETE /v1/inbox/:id": "moderation.delete",
  "GET /v1/inbox/threads": "threads.list",
  "GET /v1/inbox/threads/:id": "threads.find",
  "GET /v1/inbox/threads/:id/items": "threads.items",
  "POST /v1/inbox/threads/:id/read": "threads.markRead",
  "POST /v1/inbox/threads/:id/state": "threads.setState",
  "PUT /v1/inbox/threads/:id/labels": "threads.setLabels",
  "GET /v1/inbox/labels": "labels.list",
  "GET /v1/inbox/threads/:id/notes": "notes.list",
  "POST /v1/inbox/threads/:id/notes": "notes.create",
  "DELETE /v1/inbox/threads/:id/notes/:note_id": "notes.delete",
  "POST /v1/webhook-endpoints": "webhookEndpoints.create",
  "GET /v1/webhook-endpoints": "webhookEndpoints.list",
  "GET /v1/webhook-endpoints/:id": "webhookEndpoints.find",
  "PATCH /v1/webhook-endpoints/:id": "webhookEndpoints.update",
  "DELETE /v1/webhook-endpoints/:id": "webhookEndpoints.delete",
  "POST /v1/webhook-endpoints/:id/rotate-secret": "webhookEndpoints.rotateSecret",
  "POST /v1/webhook-endpoints/:id/test": "webhookEndpoints.test",
  "GET /v1/webhook-endpoints/:id/deliveries": "webhookEndpoints.listDeliveries",
  "GET /v1/webhook-endpoints/:id/deliveries/:delivery_id": "webhookEndpoints.findDelivery",
  "POST /v1/webhook-endpoints/:id/deliveries/:delivery_id/redeliver": "webhookEndpoints.redeliver",
  "POST /v1/webhook-endpoints/:id/replay": "webhookEndpoints.replay",
  "GET /v1/inbox/saved-replies": "savedReplies.list",
  "POST /v1/inbox/saved-replies": "savedReplies.create",
  "PATCH /v1/inbox/saved-replies/:id": "savedReplies.update",
  "DELETE /v1/inbox/saved-replies/:id": "savedReplies.delete",
  "POST /v1/connect/sessions": "connecting.create",
  "GET /v1/connect/sessions/:id": "connecting.find",
  "GET /v1/accounts": "connected.list",
  "GET /v1/accounts/:id": "connected.find",
  "POST /v1/accounts/:id/check": "connected.check",
  "POST /v1/accounts/:id/reconnect": "connecting.reconnect",
  "DELETE /v1/accounts/:id": "connected.disconnect",
  "POST /v1/posts": "posts.create",
  "POST /v1/posts/validate": "posts.validate",
  "GET /v1/posts": "posts.list",
  "GET /v1/posts/:id": "posts.find",
  "PATCH /v1/posts/:id": "posts.change",
  "DELETE /v1/posts/:id": "posts.remove",
  "POST /v1/posts/:id/publish": "posts.publish",
  "POST /v1/posts/:id/cancel": "posts.cancel",
  "POST /v1/posts/:id/targets/:targetID/retry": "posts.retryTarget",
  "DELETE /v1/posts/:id/targets/:targetID": "posts.removeTarget",
  "POST /v1/media/gif-conversions": "conversions.submit",
  "GET /v1/media/gif-conversions": "conversions.list",
  "GET /v1/media/gif-conversions/:id": "conversions.find",
  "DELETE /v1/media/gif-conversions/:id": "conversions.cancel",
  "POST /v1/media/audio-overlays": "audio.submit",
  "GET /v1/media/audio-overlays": "audio.list",
  "GET /v1/media/audio-overlays/:id": "audio.find",
  "DELETE /v1/media/audio-overlays/:id": "audio.cancel",
  "POST /v1/media": "media.upload",
  "GET /v1/media": "media.list",
  "GET /v1/media/:id": "media.find",
  "DELETE /v1/media/:id": "media.remove",
  "GET /v1/media/:id/content": "media.read",
  "GET /v1/usage": "workspaces.usage",
  "GET /v1/audit-events": "workspaces.auditEvents",
  "POST /v1/admin/workspaces": "workspaces.create",
  "GET /v1/admin/workspaces": "workspaces.list",
  "GET /v1/admin/workspaces/:id": "workspaces.find",
  "PATCH /v1/admin/workspaces/:id": "workspaces.update",
  "DELETE /v1/admin/workspaces/:id": "workspaces.erase",
  "GET /v1/admin/workspaces/:id/members": "members.list",
  "GET /v1/admin/workspaces/:id/members/:user_id": "members.find",
  "PUT /v1/admin/workspaces/:id/members/:user_id": "members.set",
  "DELETE /v1/admin/workspaces/:id/members/:user_id": "members.remove",
  "POST /v1/admin/workspaces/:id/dashboard-tokens": "members.issueToken",
  "POST /v1/admin/workspaces/:id/api-keys": "keys.create",
  "GET /v1/admin/workspaces/:id/api-keys": "keys.list",
  "GET /v1/admin/workspaces/:id/api-keys/:key_id": "keys.find",
  "DELETE /v1/admin/workspaces/:id/api-keys/:key_id": "keys.revoke",
  "GET /v1/admin/workspaces/:id/managed-users": "accounts.listManagedUsers",
  "PUT /v1/admin/workspaces/:id/managed-users/:external_user_id": "accounts.addManagedUser",
  "GET /v1/admin/workspaces/:id/managed-users/:external_user_id": "accounts.findManagedUser",
  "GET /v1/admin/workspaces/:id/managed-users/:external_user_id/export": "accounts.exportManagedUser",
  "DELETE /v1/admin/workspaces/:id/managed-users/:external_user_id": "accounts.eraseManagedUser",
  "POST /v1/admin/workspaces/:id/social-accounts": "accounts.connect",
  "GET /v1/admin/workspaces/:id/social-accounts": "accounts.list",
  "GET /v1/admin/workspaces/:id/social-accounts/:account_id": "accounts.find",
  // Two of its fields, each with a function: a new owner, new tokens (`accounts.renew`).
  "PATCH /v1/admin/workspaces/:id/social-accounts/:account_id": "accounts.move",
  "DELETE /v1/admin/workspaces/:id/social-accounts/:account_id": "accounts.disconnect"
}

/** Endpoints without a function, and why. */
const onlyHttp: Readonly<Record<string, string>> = {
  "PUT /v1/media/:id/content": "of uploads in two steps; `media.upload` has the bytes at once",
  "POST /v1/admin/test/clock": "of a host with a test clock; an embedding test gives a clock of its own as a layer",
  "GET /livez": "says that a process answers",
  "GET /readyz": "says that a process may be asked by others",
  "GET /metrics": "is for a scraper"
}

/** Functions without an endpoint of the document, and why. */
const onlyFunctions: Readonly<Record<string, string>> = {
  "inbox.events": "is the live socket",
  "inbox.ingest": "is what the webhooks of networks do",
  "inbox.backfill": "is `POST /v1/inbox/sync` with options",
  "accounts.renew": "is a part of the change of an account",
  "accounts.check": "is that of `connected`, for whoever runs the service",
  "conversions.wait": "repeats `find`",
  "audio.wait": "repeats `find`",
  "connecting.begin": "is a page of the connect flow",
  "connecting.callback": "is a page of the connect flow",
  "connecting.choices": "is a page of the connect flow",
  "connecting.choose": "is a page of the connect flow"
}

const endpoints = () => {
  const found: Array<string> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint: { method, path } }) => void found.push(`${method} ${path.replace(/(?<=.)\/$/, "")}`)
  })
  return found
}

/** The functions that the table of the README names, as `group.first, second`. */
const documented = () => {
  const page = readFileSync(new URL("../../README.md", import.meta.url), "utf8")
  return [...page.matchAll(/^\| `(\w+)\.(\w[^`(]*)/gm)].flatMap(([, group, names = ""]) =>
    names.split(",").map((name) => `${group}.${name.trim()}`)
  )
}

const offeredBy = (loopbox: object): ReadonlyArray<string> =>
  Object.entries(loopbox).flatMap(([group, members]: [string, unknown]) =>
    typeof members === "object" && members !== null
      ? Object.entries(members).flatMap(([name, one]) => (typeof one === "function" ? [`${group}.${name}`] : []))
      : []
  )

describe("the functions and the HTTP API", () => {
  it("have the same operations, but for those that are named here with a reason", async () => {
    await using loopbox = await createLoopbox(MemoryAdapters.layer)
    const offered = Array.from(offeredBy(loopbox))
    assert.sameMembers(endpoints(), [...Object.keys(functions), ...Object.keys(onlyHttp)])
    assert.sameMembers(offered, [...new Set([...Object.values(functions), ...Object.keys(onlyFunctions)])])
  })

  it("are all in the README's table", async () => {
    await using loopbox = await createLoopbox(MemoryAdapters.layer)
    assert.sameMembers([...new Set(documented())], Array.from(offeredBy(loopbox)))
  })
})
