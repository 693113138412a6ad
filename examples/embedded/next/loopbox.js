// One Loopbox for the process, made by the first request: a build loads this file too, and development again and again.
import { createLoopbox } from "@loopbox/embedded"

export const loopbox = () =>
  (globalThis.loopbox ??= createLoopbox({ networks: "sandbox", api: { adminToken: process.env.ADMIN_TOKEN } }))
