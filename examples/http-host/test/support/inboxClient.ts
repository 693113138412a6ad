import * as Schema from "effect/Schema"
import { request } from "./apiClient.ts"
import { until } from "./hostProcess.ts"

const Item = Schema.Struct({
  id: Schema.String,
  source: Schema.String,
  external_user_id: Schema.NullOr(Schema.String),
  external_id: Schema.String,
  author_name: Schema.NullOr(Schema.String),
  body: Schema.NullOr(Schema.String),
  is_own: Schema.Boolean,
  attachments: Schema.Array(Schema.Struct({ type: Schema.String, url: Schema.NullOr(Schema.String) })),
  is_read: Schema.Boolean
})
export type ItemAnswer = typeof Item.Type

const pageAnswer = Schema.decodeUnknownSync(Schema.Struct({ data: Schema.Array(Item) }))
const Operation = Schema.Struct({ id: Schema.String, status: Schema.String })
const itemAnswer = Schema.decodeUnknownSync(Schema.Struct({ data: Item }))
const operationAnswer = Schema.decodeUnknownSync(Schema.Struct({ data: Operation }))
const Account = Schema.Struct({
  id: Schema.String,
  status: Schema.String,
  health: Schema.Struct({
    status: Schema.String,
    problems: Schema.Array(Schema.Struct({ code: Schema.String, message: Schema.String, remedy: Schema.String }))
  })
})
const decodeFrame = Schema.decodeUnknownSync(
  Schema.fromJsonString(
    Schema.Struct({
      type: Schema.String,
      seq: Schema.optionalKey(Schema.Int),
      item: Schema.optionalKey(Item),
      operation: Schema.optionalKey(Operation),
      account: Schema.optionalKey(Account)
    })
  )
)
export type Frame = ReturnType<typeof decodeFrame>

/** The newest items of a scope, as `curl` would show them. */
export const listItems = async (
  url: string,
  token: string,
  scope = "inbox_scope=workspace"
): Promise<ReadonlyArray<ItemAnswer>> => {
  const answer = await request(`${url}/v1/inbox?${scope}&limit=100`, { token })
  if (answer.status !== 200) throw new Error(`expected 200, got ${answer.status}: ${answer.text}`)
  return pageAnswer(answer.json).data
}

/** The item that an answer has. */
export const itemOf = ({ json }: { readonly json: unknown }): ItemAnswer => itemAnswer(json).data

/** Asks for a reply, as `curl` would; `item` is what was sent, where it is known. */
export const sendReply = async (
  url: string,
  token: string,
  itemId: string,
  text: string,
  idempotencyKey: string,
  signal?: AbortSignal,
  kind: "reply" | "private-reply" = "reply"
) => {
  const answer = await request(`${url}/v1/inbox/${itemId}/${kind}?inbox_scope=workspace`, {
    method: "POST",
    token,
    headers: { "content-type": "application/json", "idempotency-key": idempotencyKey },
    body: JSON.stringify({ text }),
    ...(signal === undefined ? {} : { signal })
  })
  const operationId = answer.headers.get("x-operation-id") ?? ""
  return { ...answer, operationId, item: answer.status === 200 ? itemAnswer(answer.json).data : undefined }
}

/** What became of a reply. */
export const findOperation = async (url: string, token: string, id: string) => {
  const answer = await request(`${url}/v1/inbox/outbound-operations/${id}?inbox_scope=workspace`, { token })
  if (answer.status !== 200) throw new Error(`expected 200, got ${answer.status}: ${answer.text}`)
  return operationAnswer(answer.json).data
}

/** A live socket of the workspace, with what it got so far; `query` is added to its URL. */
export const openSocket = async (url: string, key: string | undefined, query = "") => {
  const address = `${url.replace(/^http/, "ws")}/v1/inbox/ws?inbox_scope=workspace${query}`
  // Node's own takes headers, which a browser's does not; the types are the browser's.
  const options = { headers: { authorization: `Bearer ${key}` } }
  const socket = key === undefined ? new WebSocket(address) : Reflect.construct(WebSocket, [address, options])
  const frames: Array<Frame> = []
  const texts: Array<string> = []
  let closedWith = 0
  socket.addEventListener("message", ({ data }: MessageEvent) => {
    texts.push(String(data))
    frames.push(decodeFrame(String(data)))
  })
  socket.addEventListener("close", ({ code }: CloseEvent) => (closedWith = code))
  await until("the first frame", () => frames[0])
  const close = (): void => socket.close()
  return { frames, texts, close, closedWith: () => closedWith }
}
