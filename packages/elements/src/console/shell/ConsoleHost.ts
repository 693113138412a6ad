import { Loopbox, LoopboxError } from "@loopbox/client"
import type { RequestLog, SentRequest } from "./RequestLog.ts"

/** Who is signed in, and where. */
export interface ConsoleSession {
  readonly expires_at: string
  readonly version: string
  readonly api_url: string
  readonly sandbox: boolean
  /** Where programs on the host's machine reach the simulated networks. */
  readonly sandbox_url: string | null
  readonly workspaces: ReadonlyArray<{ readonly id: string; readonly name: string; readonly plan: string }>
}

interface Envelope {
  readonly data?: unknown
  readonly error?: { readonly code?: string; readonly message?: string }
  readonly request_id?: string
}

const readEnvelope = async (response: Response): Promise<Envelope> => {
  try {
    const body: Envelope = await response.json()
    return body
  } catch {
    return {}
  }
}

const failureOf = async (response: Response): Promise<LoopboxError> => {
  const { error, request_id } = await readEnvelope(response)
  const requestId = request_id ?? response.headers.get("x-request-id")
  const retryAfter = Number(response.headers.get("retry-after"))
  return new LoopboxError(error?.message ?? `The host answered ${response.status}.`, {
    status: response.status,
    code: error?.code ?? "INTERNAL_ERROR",
    ...(requestId === null ? {} : { requestId }),
    ...(Number.isFinite(retryAfter) && retryAfter > 0 ? { retryAfter } : {})
  })
}

/** The host as the console reaches it: its session's cookie goes along by itself. */
export class ConsoleHost {
  readonly origin: string
  readonly #log: RequestLog
  readonly #onSignedOut: () => void
  /** What was asked since the session has ended, and waits until somebody has signed in again. */
  readonly #waiting = new Set<() => void>()
  #signIns = 0
  #sandboxUrl: string | undefined

  constructor(origin: string, log: RequestLog, onSignedOut: () => void) {
    this.origin = origin
    this.#log = log
    this.#onSignedOut = onSignedOut
  }

  /** Whether something waits for signing in: what looks again and again need not ask. */
  get isWaiting(): boolean {
    return this.#waiting.size > 0
  }

  /** The session that stands; undefined where nobody is signed in. */
  async readSession(): Promise<ConsoleSession | undefined> {
    const response = await this.#send("GET", "/console/session")
    if (response.status === 401) return undefined
    if (!response.ok) throw await failureOf(response)
    const { data }: { readonly data: ConsoleSession } = await response.json()
    this.#sandboxUrl = data.sandbox_url ?? undefined
    return data
  }

  /** Whether the host takes this page for its own: by http from another machine no browser says so. */
  async isHeard(): Promise<boolean> {
    return (await this.#send("GET", "/console/session")).status !== 403
  }

  /** Signs in by a link's ticket or the admin token. */
  async signIn(by: { readonly ticket: string } | { readonly admin_token: string }): Promise<void> {
    const response = await this.#send("POST", "/console/session", by)
    if (!response.ok) throw await failureOf(response)
    this.#goOn()
  }

  /** The session where somebody has signed in elsewhere in this browser; what waited for it is sent. */
  async resume(): Promise<ConsoleSession | undefined> {
    const session = await this.readSession()
    if (session !== undefined) this.#goOn()
    return session
  }

  #goOn(): void {
    this.#signIns += 1
    for (const goOn of this.#waiting) goOn()
    this.#waiting.clear()
  }

  /** Ends the session; one that has ended already is no failure. */
  async signOut(): Promise<void> {
    const response = await this.#send("DELETE", "/console/session")
    if (!response.ok && response.status !== 401) throw await failureOf(response)
  }

  /** What is no part of the API: activity, the sandbox's controls. `path` is that below `/console`. */
  async ask<Data>(method: "GET" | "POST", path: string, body?: object): Promise<Data> {
    const response = await this.#signedIn(() => this.#send(method, `/console${path}`, body))
    this.#noteAsked(method, path, body, response)
    if (!response.ok) throw await failureOf(response)
    const { data }: { readonly data: Data } = await response.json()
    return data
  }

  /** As a program asks it: the simulated networks at their own address, and activity by the metrics that it is made of. */
  #noteAsked(method: string, path: string, body: object | undefined, { headers, status }: Response): void {
    const isSandbox = path.startsWith("/sandbox/")
    const origin = isSandbox ? this.#sandboxUrl : this.origin
    if (origin === undefined) return
    const sent: SentRequest = {
      method,
      path: isSandbox ? path : "/metrics",
      origin,
      body: body === undefined ? undefined : JSON.stringify(body),
      status,
      requestId: headers.get("x-request-id")
    }
    if (method === "GET") this.#log.addLook(sent)
    else this.#log.add(sent)
  }

  /** The API for the operator of a workspace. */
  clientOf(workspaceId: string): Loopbox {
    return new Loopbox({
      baseUrl: `${this.origin}/console`,
      fetch: async (input, init) => {
        const request = new Request(input, init)
        request.headers.set("Loopbox-Workspace", workspaceId)
        const isText = (request.headers.get("content-type") ?? "").startsWith("application/json")
        const body = isText ? await request.clone().text() : undefined
        const { pathname, search } = new URL(request.url)
        const path = `${pathname.replace(/^\/console/, "")}${search}`
        return this.#signedIn(async () => {
          const response = await fetch(request.clone())
          const requestId = response.headers.get("x-request-id")
          this.#log.add({ method: request.method, path, body, status: response.status, requestId })
          return response
        }, request.signal)
      }
    })
  }

  /** Tells of a request of the API that went another way than by a client of `clientOf`: an upload. */
  noteSent(request: SentRequest): void {
    this.#log.add(request)
    if (request.status === 401) this.#onSignedOut()
  }

  /** Where a file's bytes are, for a `<video>` or a download. */
  contentOf(workspaceId: string, mediaId: string): string {
    return `/console/v1/media/${encodeURIComponent(mediaId)}/content?workspace_id=${encodeURIComponent(workspaceId)}`
  }

  /** Sends it; where the session has ended, for nothing was done then, once more after signing in. */
  async #signedIn(send: () => Promise<Response>, signal?: AbortSignal): Promise<Response> {
    const before = this.#signIns
    const response = await send()
    if (response.status !== 401) return response
    if (before === this.#signIns) {
      const signedIn = this.#waitForSignIn(signal)
      this.#onSignedOut()
      await signedIn
    }
    return send()
  }

  #waitForSignIn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.#waiting.delete(goOn)
        reject(signal?.reason)
      }
      const goOn = (): void => {
        signal?.removeEventListener("abort", giveUp)
        resolve()
      }
      if (signal?.aborted === true) return giveUp()
      signal?.addEventListener("abort", giveUp, { once: true })
      this.#waiting.add(goOn)
    })
  }

  async #send(method: string, path: string, body?: object): Promise<Response> {
    try {
      return await fetch(`${this.origin}${path}`, {
        method,
        credentials: "same-origin",
        signal: AbortSignal.timeout(30_000),
        ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } })
      })
    } catch (cause) {
      throw new LoopboxError("The host can't be reached.", { status: 0, code: "CONNECTION_FAILED", cause })
    }
  }
}
