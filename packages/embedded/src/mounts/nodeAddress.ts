import type { IncomingMessage } from "node:http"

const isHost = /^[\w.:[\]-]+$/

/** Where a client reached the mount under a prefix, as far as its request says. */
export const addressOf = (request: IncomingMessage, prefix: string): string => {
  const told = "protocol" in request && typeof request.protocol === "string" ? request.protocol : undefined
  const isSecure = "encrypted" in request.socket && request.socket.encrypted === true
  const { host = "" } = request.headers
  return `${told ?? (isSecure ? "https" : "http")}://${isHost.test(host) ? host : "localhost"}${prefix}`
}
