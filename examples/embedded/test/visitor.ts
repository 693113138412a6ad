import * as NodeWS from "@effect/platform-node/NodeWS"
import { animatedGif, commentOf, joinBytes } from "@loopbox/testing/fakes/gifSamples"
import { assert } from "vitest"
import { adminToken } from "./exampleServer.ts"

/** How requests reach a mount. */
export type Send = (path: string, init?: RequestInit) => Promise<Response>

/** Over the network, to a mount under `/social` of a port. */
export const sendTo =
  (port: number): Send =>
  (path, init) =>
    fetch(`http://127.0.0.1:${port}${path}`, init)

const json = { "content-type": "application/json" }

const textAt = (value: unknown, ...path: ReadonlyArray<string>): string => {
  let at = value
  for (const name of path) {
    at = typeof at === "object" && at !== null ? Object.entries(at).find(([key]) => key === name)?.[1] : undefined
  }
  return typeof at === "string" ? at : assert.fail(`no text at ${path.join(".")}: ${JSON.stringify(value)}`)
}

/** Makes a workspace with JSON bodies, which the app's own body parser may have read; a key of its owner. */
export const makeKey = async (send: Send, prefix = "/social"): Promise<string> => {
  const administer = async (method: string, path: string, body: unknown) => {
    const headers = { ...json, authorization: `Bearer ${adminToken}` }
    const response = await send(`${prefix}/v1/admin${path}`, { method, headers, body: JSON.stringify(body) })
    const answer: unknown = await response.json()
    assert.strictEqual(response.status, 201, JSON.stringify(answer))
    return answer
  }
  const id = textAt(await administer("POST", "/workspaces", { name: "Acme", plan: "growth" }), "data", "id")
  await administer("PUT", `/workspaces/${id}/members/ann`, { role: "owner" })
  const key = { name: "test", creator_user_id: "ann" }
  return textAt(await administer("POST", `/workspaces/${id}/api-keys`, key), "data", "key")
}

/** Four images, and comments of 64 KiB each. Made before the first request: a server ends connections that idle meanwhile. */
const gifWith = (comments: number): Uint8Array<ArrayBuffer> => {
  const comment = commentOf(64 * 1024)
  const all = Array.from({ length: comments }, () => comment)
  return new Uint8Array(joinBytes([animatedGif([50, 50, 50, 50]).subarray(0, -1), ...all, Uint8Array.of(0x3b)]))
}

/** Of 2 MB, twenty times what body parsers take. */
export const middleGif = gifWith(32)

/** Of 40 MB. */
export const largeGif = () => gifWith(640)

/** A GIF goes in, and comes back by the link of the answer, which leads to the mount. */
export const bringGif = async (
  send: Send,
  key: string,
  origin: string,
  gif: Uint8Array<ArrayBuffer>,
  prefix = "/social"
) => {
  const response = await send(`${prefix}/v1/media`, {
    method: "POST",
    headers: { "content-type": "image/gif", authorization: `Bearer ${key}` },
    body: gif
  })
  const answer: unknown = await response.json()
  assert.strictEqual(response.status, 201, JSON.stringify(answer))
  const link = textAt(answer, "data", "download_url")
  assert.isTrue(link.startsWith(`${origin}${prefix}/v1/media/`), link)
  const back = await send(link.slice(origin.length))
  assert.strictEqual((await back.arrayBuffer()).byteLength, gif.length)
}

/** The first frame of the live socket of a mount. */
export const firstFrame = (port: number, key: string, prefix = "/social"): Promise<string> =>
  new Promise((done, fail) => {
    const socket = new NodeWS.WebSocket(`ws://127.0.0.1:${port}${prefix}/v1/inbox/ws?inbox_scope=workspace`, {
      headers: { authorization: `Bearer ${key}` }
    })
    socket.once("error", fail)
    socket.once("message", (data) => {
      socket.terminate()
      done(String(data))
    })
  })

/** What is none of ours under the prefix is refused with our envelope. */
export const expectEnvelope = async (send: Send) => {
  const response = await send("/social/nothing")
  assert.strictEqual(response.status, 404)
  assert.match(await response.text(), /"code":"NOT_FOUND"/)
}
