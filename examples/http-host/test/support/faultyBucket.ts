import { createServer, request } from "node:http"

/** What the store does instead of its work. */
export interface BucketFault {
  readonly status: number
  readonly code: string
}

/** Stands before a server that speaks S3, and answers in its place while a fault is set; `cut` breaks a body off in its middle. */
export const faultyBucket = async (endpoint: string) => {
  let fault: BucketFault | "cut" | undefined
  let refused = 0
  const server = createServer((incoming, answer) => {
    if (fault !== undefined && fault !== "cut") {
      refused += 1
      const { code, status } = fault
      incoming.resume()
      answer
        .writeHead(status, { "content-type": "application/xml", connection: "close" })
        .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`)
      return
    }
    const { headers, method, url = "" } = incoming
    // Its `Host` is signed, so it goes along as it came.
    const upstream = request(new URL(url, endpoint), { method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 500, response.headers)
      if (fault !== "cut" || method !== "GET") return void response.pipe(answer)
      // Once: the rest comes when it is asked for.
      fault = undefined
      refused += 1
      response.once("data", (chunk: Uint8Array) => {
        answer.write(chunk.subarray(0, chunk.length / 2), () => setTimeout(() => answer.destroy(), 20))
        response.destroy()
      })
    })
    upstream.on("error", () => answer.destroy())
    incoming.pipe(upstream)
  })
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    set: (next: BucketFault | "cut" | undefined) => (fault = next),
    refused: () => refused,
    close: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}
