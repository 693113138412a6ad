// One Loopbox for the process: in development Next loads modules again and again.
import { createLoopbox } from "@loopbox/embedded"

globalThis.loopbox ??= createLoopbox({ networks: "sandbox", api: { adminToken: process.env.ADMIN_TOKEN } })

export const loopbox = await globalThis.loopbox
