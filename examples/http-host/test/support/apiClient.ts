import * as Schema from "effect/Schema"
import { until } from "./hostProcess.ts"

const Job = Schema.Struct({
  id: Schema.String,
  status: Schema.Literals(["queued", "processing", "succeeded", "failed"]),
  output_media_id: Schema.NullOr(Schema.String),
  created_at: Schema.String,
  started_at: Schema.NullOr(Schema.String),
  completed_at: Schema.NullOr(Schema.String),
  attempts: Schema.Int,
  error: Schema.NullOr(Schema.Struct({ code: Schema.String }))
})
export type JobAnswer = typeof Job.Type

const answerOf = <S extends Schema.ConstraintDecoder<unknown>>(data: S) =>
  Schema.decodeUnknownSync(Schema.Struct({ data }))
const jobAnswer = answerOf(Job)
const idAnswer = answerOf(Schema.Struct({ id: Schema.String }))
const keyAnswer = answerOf(Schema.Struct({ id: Schema.String, key: Schema.String }))

/** One request; the body of the answer is read as JSON when it is. */
export const request = async (
  url: string,
  init: RequestInit & { readonly token?: string | undefined } = {}
): Promise<{ readonly status: number; readonly headers: Headers; readonly text: string; readonly json: unknown }> => {
  const { token, ...rest } = init
  const headers = new Headers(rest.headers)
  if (token !== undefined) headers.set("authorization", `Bearer ${token}`)
  const response = await fetch(url, { signal: AbortSignal.timeout(60_000), ...rest, headers })
  const text = await response.text()
  const isJson = (response.headers.get("content-type") ?? "").includes("json")
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined }
}

const expected = (answer: Awaited<ReturnType<typeof request>>, status: number): unknown => {
  if (answer.status !== status) throw new Error(`expected ${status}, got ${answer.status}: ${answer.text}`)
  return answer.json
}

const json = { "content-type": "application/json" }

/** The last part of the address of a job's kind. */
type JobKind = "gif-conversions" | "audio-overlays"

/** A sound over a video. */
export interface OverlayRequest {
  readonly video_media_id: string
  readonly audio_media_id: string
  readonly mode?: "mix" | "replace"
  readonly video_volume?: number
  readonly audio_volume?: number
  readonly audio_start_ms?: number
  readonly fit?: "trim_to_video" | "loop_to_video"
}

/** The calls of a customer with an API key. */
export const customer = (url: string, key: string) => {
  const upload = async (
    file: Uint8Array<ArrayBuffer>,
    contentType = "image/gif",
    filename = "a.gif"
  ): Promise<string> =>
    idAnswer(
      expected(
        await request(`${url}/v1/media`, {
          method: "POST",
          token: key,
          headers: { "content-type": contentType, "x-filename": encodeURIComponent(filename) },
          body: file
        }),
        201
      )
    ).data.id
  const submitTo = async (kind: JobKind, body: unknown, idempotencyKey?: string): Promise<JobAnswer> =>
    jobAnswer(
      expected(
        await request(`${url}/v1/media/${kind}`, {
          method: "POST",
          token: key,
          headers: { ...json, ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }) },
          body: JSON.stringify(body)
        }),
        202
      )
    ).data
  const submit = (mediaId: string, idempotencyKey?: string): Promise<JobAnswer> =>
    submitTo("gif-conversions", { gif_media_id: mediaId }, idempotencyKey)
  const layOver = (overlay: OverlayRequest): Promise<JobAnswer> => submitTo("audio-overlays", overlay)
  const job = async (id: string, kind: JobKind = "gif-conversions"): Promise<JobAnswer> =>
    jobAnswer(expected(await request(`${url}/v1/media/${kind}/${id}`, { token: key }), 200)).data
  const settled = (id: string, within_ms = 120_000, every_ms = 50, kind?: JobKind): Promise<JobAnswer> =>
    until(
      `the end of ${id}`,
      async () => {
        const now = await job(id, kind)
        return now.status === "succeeded" || now.status === "failed" ? now : undefined
      },
      within_ms,
      every_ms
    )
  const download = async (mediaId: string): Promise<Uint8Array> => {
    const response = await fetch(`${url}/v1/media/${mediaId}/content`, { headers: { authorization: `Bearer ${key}` } })
    if (response.status !== 200) throw new Error(`download: ${response.status}`)
    return new Uint8Array(await response.arrayBuffer())
  }
  return { upload, submit, layOver, job, settled, download }
}

/** The calls of an administrator. */
export const administrator = (url: string, token: string) => {
  const send = async (method: "POST" | "PUT" | "PATCH", path: string, body: unknown, status: number) =>
    expected(
      await request(`${url}/v1/admin${path}`, { method, token, headers: json, body: JSON.stringify(body) }),
      status
    )
  const post = (path: string, body: unknown) => send("POST", path, body, 201)
  const createWorkspace = async (plan: string, limits?: Readonly<Record<string, number>>): Promise<string> =>
    idAnswer(
      await post("/workspaces", { name: `${plan} of a test`, plan, ...(limits === undefined ? {} : { limits }) })
    ).data.id
  const changeLimits = (workspace: string, limits: Readonly<Record<string, number>>): Promise<unknown> =>
    send("PATCH", `/workspaces/${workspace}`, { limits }, 200)
  const createKey = async (workspace: string): Promise<string> =>
    keyAnswer(await post(`/workspaces/${workspace}/api-keys`, { name: "test" })).data.key
  /** A key that may use workspace scope, of an owner who is made for it. */
  const createOwnerKey = async (workspace: string): Promise<string> => {
    await send("PUT", `/workspaces/${workspace}/members/owner`, { role: "owner" }, 201)
    const key = { name: "test", creator_user_id: "owner" }
    return keyAnswer(await post(`/workspaces/${workspace}/api-keys`, key)).data.key
  }
  /** Connects a Page of Facebook; gives the account's id. `check: false` where no network is there to try its token. */
  const connectPage = async (
    workspace: string,
    page: string,
    owner?: string,
    more: { readonly check?: false } = {}
  ): Promise<string> => {
    const account = { network: "facebook", network_account_id: page, name: `Page ${page}`, access_token: "a-token" }
    const body = { ...account, ...more, ...(owner === undefined ? {} : { external_user_id: owner }) }
    return idAnswer(await post(`/workspaces/${workspace}/social-accounts`, body)).data.id
  }
  const addManagedUser = (workspace: string, user: string): Promise<unknown> =>
    send("PUT", `/workspaces/${workspace}/managed-users/${user}`, {}, 201)
  const moveAccount = (workspace: string, account: string, owner: string): Promise<unknown> =>
    send("PATCH", `/workspaces/${workspace}/social-accounts/${account}`, { external_user_id: owner }, 200)
  const connectAccount = (workspace: string, network: string, networkAccountId: string): Promise<unknown> =>
    post(`/workspaces/${workspace}/social-accounts`, {
      network,
      network_account_id: networkAccountId,
      name: `Account ${networkAccountId}`,
      access_token: "a-token-of-the-network"
    })
  return {
    createWorkspace,
    changeLimits,
    createKey,
    createOwnerKey,
    connectPage,
    connectAccount,
    addManagedUser,
    moveAccount
  }
}
