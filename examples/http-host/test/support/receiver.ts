import { createServer } from "node:http"

interface Received {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A server on this machine that keeps what is posted to it, and answers with the status that its path names and this text. */
export const receiver = async (thanks = "") => {
  const received: Array<Received> = []
  const server = createServer((request, response) => {
    let body = ""
    request.setEncoding("utf8").on("data", (text: string) => (body += text))
    request.on("end", () => {
      const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const)
      received.push({ headers: Object.fromEntries(headers), body })
      response.writeHead(Number(request.url?.slice(1))).end(thanks)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return { received, url: (status: number) => `http://localhost:${port}/${status}`, close: () => server.close() }
}
