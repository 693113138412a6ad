import { Effect } from "effect"
import { createServer, type Socket, connect } from "node:net"

/**
 * Stands before a server, so that it can be away for whoever comes this way. Cut off it refuses connections and ends those
 * that there are.
 */
export const startForwarder = (host: string, port: number) =>
  Effect.gen(function* () {
    const open = new Set<Socket>()
    const end = (): void => {
      for (const socket of open) socket.destroy()
      open.clear()
    }
    const server = createServer((asked) => {
      const onward = connect(port, host)
      for (const [one, other] of [
        [asked, onward],
        [onward, asked]
      ] as const) {
        open.add(one)
        one.on("error", () => other.destroy())
        one.on("close", () => {
          open.delete(one)
          other.destroy()
        })
        one.pipe(other)
      }
    })
    const listen = (at: number) =>
      Effect.callback<number>((resume) => {
        server.listen(at, "127.0.0.1", () => {
          const address = server.address()
          resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : at))
        })
      })
    const cut = Effect.callback<void>((resume) => {
      server.close(() => resume(Effect.void))
      end()
    })
    const at = yield* Effect.acquireRelease(listen(0), () => cut)
    return { port: at, cut, mend: Effect.asVoid(listen(at)) }
  })
