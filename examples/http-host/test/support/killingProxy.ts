import { createServer, type IncomingMessage, request, type RequestOptions, type ServerResponse } from "node:http"

/** When a process dies of a request: it never arrives, it is answered to nobody, or right after the answer came. */
export type Moment = "lost" | "unanswered" | "answered"

/** Waits for one request, and kills the process that made it. */
export interface Trap {
  readonly isMeant: (name: string, method: string, path: string) => boolean
  readonly moment: Moment
  readonly kill: (name: string) => Promise<unknown>
}

const read = async (message: IncomingMessage): Promise<Buffer> => {
  const parts: Array<Buffer> = []
  for await (const part of message) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
}

interface Answer {
  readonly status: number
  readonly headers: IncomingMessage["headers"]
  readonly body: Buffer
}

const forward = (options: RequestOptions, body: Buffer): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request(options, (answer) => {
      read(answer).then(
        (whole) => resolve({ status: answer.statusCode ?? 502, headers: answer.headers, body: whole }),
        reject
      )
    })
    sent.on("error", reject)
    sent.end(body)
  })

/**
 * Stands between hosts and the simulated networks, so that a host dies at a request that is chosen, on any machine: what
 * reached the networks goes on there. Each host has its name as the first part of the path.
 */
export const startKillingProxy = async (networksUrl: string) => {
  const { hostname, port } = new URL(networksUrl)
  let trap: (Trap & { readonly sprung: () => void }) | undefined
  const handle = async (asked: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { headers, method = "GET", url = "" } = asked
    const [, name = "", path = "/"] = /^\/([^/]*)(.*)$/.exec(url) ?? []
    const body = await read(asked)
    const sprung = trap?.isMeant(name, method, path) === true ? trap : undefined
    if (sprung !== undefined) trap = undefined
    if (sprung?.moment === "lost") await sprung.kill(name)
    else {
      const answer = await forward({ hostname, port, method, path, headers }, body)
      if (sprung?.moment === "unanswered") await sprung.kill(name)
      else response.writeHead(answer.status, answer.headers).end(answer.body)
      if (sprung?.moment === "answered") await sprung.kill(name)
    }
    if (sprung !== undefined) {
      asked.destroy()
      sprung.sprung()
    }
  }
  const server = createServer((asked, response) => {
    handle(asked, response).catch(() => asked.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    /** Until a request has sprung it. */
    set: (next: Trap): Promise<void> =>
      new Promise((resolve) => {
        trap = { ...next, sprung: resolve }
      }),
    stop: async (): Promise<void> => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}
