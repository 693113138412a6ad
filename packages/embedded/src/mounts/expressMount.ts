import type { IncomingMessage, ServerResponse } from "node:http"
import type { MountedApi } from "./MountedApi.ts"
import { answer } from "./nodeMount.ts"
import type { SocketServers } from "./SocketServers.ts"

/** A middleware of Express, and of whatever calls such ones. */
export type ExpressHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void
) => void

/** For `app.use("/social", …)`: Express takes the prefix off, and says which it was. */
export const makeExpress =
  (api: MountedApi, servers: SocketServers): ExpressHandler =>
  (request, response, next) => {
    const prefix = "baseUrl" in request && typeof request.baseUrl === "string" ? request.baseUrl : ""
    servers.hearConnection(request.socket, prefix)
    answer(api, [request, response], prefix, next)
  }
