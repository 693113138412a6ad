import { Effect } from "effect"
import { connect, createServer, type Socket } from "node:net"

/** A proxy in front of the server, whose lines can be cut. */
export const cuttingProxy = (port: number) =>
  Effect.acquireRelease(
    Effect.callback<{
      readonly port: number
      /** Cuts every line that is there now, without a word. */
      readonly cut: () => number
      /** Takes no connection while it is closed. */
      readonly setOpen: (isOpen: boolean) => void
      readonly close: () => void
    }>((resume) => {
      const lines = new Set<Socket>()
      let isOpen = true
      const server = createServer((near) => {
        near.on("error", () => near.destroy())
        if (!isOpen) {
          near.destroy()
          return
        }
        const far = connect(port, "127.0.0.1")
        far.on("error", () => near.destroy())
        lines.add(near)
        near.on("close", () => {
          lines.delete(near)
          far.destroy()
        })
        far.on("close", () => near.destroy())
        near.pipe(far).pipe(near)
      })
      const cut = () => {
        const count = lines.size
        for (const line of lines) line.destroy()
        return count
      }
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        resume(
          Effect.succeed({
            port: typeof address === "object" && address !== null ? address.port : 0,
            cut,
            setOpen: (given: boolean) => {
              isOpen = given
            },
            close: () => {
              cut()
              server.close()
            }
          })
        )
      })
    }),
    ({ close }) => Effect.sync(close)
  )
