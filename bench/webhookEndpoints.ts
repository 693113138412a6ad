import { randomBytes } from "node:crypto"
import * as Schema from "effect/Schema"
import { administrator, request } from "../examples/http-host/test/support/apiClient.ts"
import { startHost, temporaryFolder } from "../examples/http-host/test/support/hostProcess.ts"
import { deliver } from "./webhooks.ts"

const appSecret = "the-secret-of-an-app"
const page = "1001"

const idAnswer = Schema.decodeUnknownSync(Schema.Struct({ data: Schema.Struct({ id: Schema.String }) }))

/** Calls in the scope of the workspace. */
export type Call = (method: string, path: string, body?: object) => Promise<unknown>

const makeCall =
  (url: string, token: string): Call =>
  async (method, path, body) => {
    const answer = await request(`${url}${path}?inbox_scope=workspace`, {
      method,
      token,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } })
    })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    return answer.json
  }

/** A host in production's way with one workspace, which a network tells of comments. */
export interface EndpointHost {
  /** The host's process. */
  readonly pid: number
  readonly workspace: string
  readonly call: Call
  /** Delivers comments in one webhook. */
  readonly comment: (ids: ReadonlyArray<string>) => Promise<void>
  /** Makes an endpoint that gets new items. */
  readonly addEndpoint: (address: string) => Promise<string>
}

export const withEndpointHost = async <A>(databaseUrl: string, use: (host: EndpointHost) => Promise<A>): Promise<A> => {
  const { folder, remove } = temporaryFolder()
  const adminToken = randomBytes(24).toString("hex")
  const host = await startHost(folder, {
    DATABASE_URL: databaseUrl,
    LOOPBOX_SECRET_KEYS: `bench:${randomBytes(32).toString("base64")}`,
    LOOPBOX_ADMIN_TOKEN: adminToken,
    LOOPBOX_NETWORKS: "sandbox",
    LOOPBOX_RATE_LIMIT: "off",
    LOOPBOX_META_APP_SECRETS: appSecret
  })
  try {
    const admin = administrator(host.url, adminToken)
    const workspace = await admin.createWorkspace("enterprise")
    await admin.connectAccount(workspace, "instagram", page)
    const call = makeCall(host.url, await admin.createOwnerKey(workspace))
    return await use({
      pid: host.pid,
      workspace,
      call,
      comment: (ids) =>
        deliver(
          host.url,
          appSecret,
          ids.map((id) => ({ page, id }))
        ),
      addEndpoint: async (address) =>
        idAnswer(await call("POST", "/v1/webhook-endpoints", { url: address, events: ["inbox.new_item"] })).data.id
    })
  } finally {
    await host.stop()
    remove()
  }
}
