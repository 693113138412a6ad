// node --import ./olderHonoServer.mjs …: an example gets an older @hono/node-server than it asks for.
import { registerHooks } from "node:module"

registerHooks({
  resolve: (name, context, next) => next(name === "@hono/node-server" ? "hono-node-server1" : name, context)
})
