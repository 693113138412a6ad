/** A request as it is shown to whoever learns the API. */
export interface SentRequest {
  readonly method: string
  /** Path and query below the host, `/v1/…`. */
  readonly path: string
  readonly body: string | undefined
  /** The name of a file that is the body. */
  readonly file?: string
  readonly status: number
  readonly requestId: string | null
}

const mostKept = 30

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const dataOf = (file: string): string => `--data-binary ${quoted(`@${file}`)}`

/** A request as a command for a shell; the key is a placeholder. */
export const asCurl = ({ body, file, method, path }: SentRequest, apiUrl: string): string =>
  [
    `curl${method === "GET" ? "" : ` -X ${method}`}`,
    quoted(`${apiUrl}${path}`),
    path.startsWith("/v1/admin/")
      ? '-H "Authorization: Bearer $LOOPBOX_ADMIN_TOKEN"'
      : '-H "Authorization: Bearer $LOOPBOX_API_KEY"',
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(body)}`]),
    ...(file === undefined
      ? []
      : [`-H 'Content-Type: image/gif'`, `-H ${quoted(`X-Filename: ${encodeURIComponent(file)}`)}`, dataOf(file)])
  ].join(" \\\n  ")

/** The last requests of a page, the newest first. */
export class RequestLog {
  #sent: ReadonlyArray<SentRequest> = []
  readonly #onChange: () => void

  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  get all(): ReadonlyArray<SentRequest> {
    return this.#sent
  }

  add(request: SentRequest): void {
    // One that is asked again and again stands there once.
    const others = this.#sent.filter(
      ({ body, file, method, path }) =>
        method !== request.method || path !== request.path || body !== request.body || file !== request.file
    )
    this.#sent = [request, ...others].slice(0, mostKept)
    this.#onChange()
  }

  clear(): void {
    this.#sent = []
    this.#onChange()
  }
}
