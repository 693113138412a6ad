import { connect, type Socket } from "node:net"
import { performance } from "node:perf_hooks"

/** One request that is sent again and again: a GET, or a POST of a JSON body. */
export interface Request {
  readonly url: string
  readonly key: string
  readonly body?: string
}

/** A connection that is kept alive, with one request in flight at most. */
export interface Connection {
  /** The body of the answer; anything but 200 and 202 is an error. */
  readonly ask: (request: Request) => Promise<Buffer>
  readonly close: () => void
}

const headEnd = Buffer.from("\r\n\r\n")

const textOf = ({ body, key, url }: Request): string => {
  const { host, pathname, search } = new URL(url)
  const head = `${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\n`
  return body === undefined
    ? `GET ${head}\r\n`
    : `POST ${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

/** Bytes of one answer, head included, or undefined while they are not known. */
const lengthOf = (received: Buffer): number | undefined => {
  const end = received.indexOf(headEnd)
  if (end < 0) return undefined
  const head = received.toString("latin1", 0, end)
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (!/^HTTP\/1\.1 20[02] /.test(head) || length === undefined) throw new Error(`not a whole answer: ${head}`)
  return end + headEnd.length + Number(length)
}

/**
 * Opens a connection of a client that does next to nothing beside: what clients cost stands on both sides of a ratio
 * and brings it nearer to 1.
 */
export const openConnection = async (url: string): Promise<Connection> => {
  const { hostname, port } = new URL(url)
  const texts = new Map<Request, string>()
  const socket = await new Promise<Socket>((resolve, reject) => {
    const opened = connect({ host: hostname, port: Number(port), noDelay: true }, () => resolve(opened))
    opened.once("error", reject)
  })
  let chunks: Array<Buffer> = []
  let received = 0
  let length: number | undefined
  let settle: { readonly resolve: (body: Buffer) => void; readonly reject: (error: Error) => void } | undefined
  const fail = (error: Error) => {
    settle?.reject(error)
    socket.destroy()
  }
  socket.on("error", fail)
  socket.on("close", () => fail(new Error("the server closed the connection")))
  socket.on("data", (chunk) => {
    chunks.push(chunk)
    received += chunk.length
    try {
      length ??= lengthOf(chunks.length === 1 ? chunk : Buffer.concat(chunks))
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)))
      return
    }
    if (length === undefined || received < length) return
    const whole = chunks.length === 1 ? chunk : Buffer.concat(chunks)
    chunks = []
    received = 0
    length = undefined
    settle?.resolve(whole.subarray(whole.indexOf(headEnd) + headEnd.length))
  })
  const ask = (request: Request) =>
    new Promise<Buffer>((resolve, reject) => {
      settle = { resolve, reject }
      const text = texts.get(request) ?? textOf(request)
      texts.set(request, text)
      socket.write(text)
    })
  return { ask, close: () => socket.destroy() }
}

/** What is answered in a time, each connection asking its request again when it was answered. */
export const throughput = async (
  requests: ReadonlyArray<Request>,
  { duration_ms }: { readonly duration_ms: number }
): Promise<{ readonly answered: number; readonly seconds: number }> => {
  const open = await Promise.all(
    requests.map(async (request) => ({ request, connection: await openConnection(request.url) }))
  )
  const start = performance.now()
  let answered = 0
  await Promise.all(
    open.map(async ({ connection, request }) => {
      while (performance.now() - start < duration_ms) {
        await connection.ask(request)
        answered += 1
      }
    })
  )
  const seconds = (performance.now() - start) / 1_000
  for (const { connection } of open) connection.close()
  return { answered, seconds }
}
