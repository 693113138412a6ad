import { createServer, type ServerResponse } from "node:http"
import { Webhook } from "standardwebhooks"
import * as Schema from "effect/Schema"
import { freePort } from "../ownServer.ts"

const decode = Schema.decodeUnknownSync(
  Schema.fromJsonString(
    Schema.Struct({ type: Schema.String, data: Schema.Struct({ seq: Schema.Int, workspace_id: Schema.String }) })
  )
)

/** A webhook as it was taken, in the order of coming. */
export interface Received {
  readonly id: string
  readonly seq: number
  readonly type: string
}

export type Behaviour = "well" | "slow" | "twice"

/** Programs that listen for webhooks: some well, one slow, one that fails twice for each, one that is never there. */
export const startReceivers = async () => {
  const port = await freePort()
  const taken = new Map<string, Array<Received>>()
  const failures = new Map<string, number>()
  const secrets = new Map<string, string>()
  const workspaces = new Map<string, string>()
  const wrong: Array<string> = []

  const take = (name: string, headers: Readonly<Record<string, string>>, body: string) => {
    const id = headers["webhook-id"] ?? ""
    // Signed anew instead of verified: the product's clock may have been moved.
    const at = new Date(Number(headers["webhook-timestamp"]) * 1_000)
    const signature = new Webhook(secrets.get(name) ?? "").sign(id, at, body)
    if (headers["webhook-signature"] !== signature) wrong.push(`${name}: ${id} is signed otherwise`)
    const { data, type } = decode(body)
    if (data.workspace_id !== workspaces.get(name)) wrong.push(`${name}: ${id} is of another workspace`)
    const list = taken.get(name) ?? []
    taken.set(name, list)
    list.push({ id, seq: data.seq, type })
  }
  const answer = (name: string, headers: Readonly<Record<string, string>>, body: string, response: ServerResponse) => {
    if (name === "twice") {
      const id = headers["webhook-id"] ?? ""
      const before = failures.get(id) ?? 0
      failures.set(id, before + 1)
      if (before < 2) {
        response.writeHead(500).end()
        return
      }
    }
    take(name, headers, body)
    setTimeout(() => response.writeHead(204).end(), name === "slow" ? 700 : 0)
  }
  const makeServer = () =>
    createServer((request, response) => {
      let body = ""
      request.setEncoding("utf8").on("data", (text: string) => (body += text))
      request.on("end", () => {
        const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const)
        answer(decodeURIComponent(request.url?.slice(1) ?? ""), Object.fromEntries(headers), body, response)
      })
    })
  let server = makeServer()
  const listen = () => new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  await listen()
  const nobody = await freePort()
  return {
    urlOf: (name: string) => `http://localhost:${name === "dead" ? nobody : port}/${encodeURIComponent(name)}`,
    /** By what it is signed, and of whose workspace it is told. */
    know: (name: string, secret: string, workspace: string) => {
      secrets.set(name, secret)
      workspaces.set(name, workspace)
    },
    received: (name: string): ReadonlyArray<Received> => taken.get(name) ?? [],
    /** Signatures that do not fit, and what is nothing of theirs. */
    wrong,
    leave: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
    comeBack: async () => {
      server = makeServer()
      await listen()
    },
    stop: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}

export type Receivers = Awaited<ReturnType<typeof startReceivers>>
