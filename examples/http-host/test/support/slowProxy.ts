import { connect, createServer, type Socket } from "node:net"

/**
 * A TCP proxy before a server, whose bytes can be made late, in both directions, while connections are open. The server's
 * port may be another one for each connection.
 */
export const startSlowProxy = async (port: number | (() => number)) => {
  const sockets = new Set<Socket>()
  let delay_ms = 0
  /** Bytes arrive in their order, each no earlier than the delay of its moment says. */
  const pipe = (from: Socket, to: Socket) => {
    let before = Promise.resolve()
    from.on("data", (bytes) => {
      const due = performance.now() + delay_ms
      before = before.then(async () => {
        const left = due - performance.now()
        if (left > 0) await new Promise((resolve) => setTimeout(resolve, left))
        to.write(bytes)
      })
    })
    from.on("close", () => {
      sockets.delete(from)
      to.destroy()
    })
    from.on("error", () => to.destroy())
  }
  const server = createServer((client) => {
    const upstream = connect(typeof port === "number" ? port : port(), "127.0.0.1")
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.setNoDelay(true)
    }
    pipe(client, upstream)
    pipe(upstream, client)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    /** From now on, of each direction. */
    delay: (milliseconds: number) => {
      delay_ms = milliseconds
    },
    stop: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    }
  }
}
