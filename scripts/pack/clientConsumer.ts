/** A stranger's program with `@loopbox/client` alone, and how it is type-checked: without the types of browsers. */

export const clientConsumer = `import { type InboxEvent, Loopbox, LoopboxError } from "@loopbox/client"

const loopbox = new Loopbox({ baseUrl: "http://127.0.0.1:9", apiKey: "k", retries: 0 })
const codeOf = async (run: () => PromiseLike<unknown>): Promise<string> => {
  try {
    await run()
  } catch (error) {
    if (error instanceof LoopboxError) return error.code
    throw error
  }
  throw new Error("a port where nobody listens answered")
}
const first = async (events: AsyncIterable<InboxEvent>) => {
  for await (const event of events) return event
}
const codes = [
  await codeOf(() => loopbox.inbox.list({ inbox_scope: "workspace", is_read: false })),
  await codeOf(() => loopbox.conversions.convert(new Uint8Array(1))),
  await codeOf(() => first(loopbox.inbox.events({ inbox_scope: "workspace" })))
]
// Node has a WebSocket of its own from 22 on.
if (!/^CONNECTION_FAILED CONNECTION_FAILED (CONNECTION_FAILED|WEBSOCKET_UNSUPPORTED)$/.test(codes.join(" "))) {
  throw new Error(codes.join(" "))
}
console.log("the client ran")
`

export const clientTypes = {
  compilerOptions: {
    target: "es2022",
    lib: ["es2022"],
    module: "nodenext",
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    types: ["node"],
    outDir: "out"
  },
  files: ["client.ts"]
}
