/** A request as it is shown to whoever learns the API. */
export interface SentRequest {
  readonly method: string
  /** Path and query below the host, `/v1/…`. */
  readonly path: string
  /** Where it is, if not at the API: the simulated networks have an address of their own, which asks for no key. */
  readonly origin?: string
  readonly body: string | undefined
  /** The name of a file that is the body, and its type. */
  readonly file?: string
  readonly fileType?: string
  readonly status: number
  readonly requestId: string | null
}

const mostKept = 30

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const dataOf = (file: string): string => `--data-binary ${quoted(`@${file}`)}`

/** A request as a command for a shell; the key is a placeholder. */
export const asCurl = (
  { body, file, fileType = "image/gif", method, origin, path }: SentRequest,
  apiUrl: string
): string =>
  [
    `curl${method === "GET" ? "" : ` -X ${method}`}`,
    quoted(`${origin ?? apiUrl}${path}`),
    ...(path.startsWith("/v1/admin/")
      ? ['-H "Authorization: Bearer $LOOPBOX_ADMIN_TOKEN"']
      : path.startsWith("/v1/")
        ? ['-H "Authorization: Bearer $LOOPBOX_API_KEY"']
        : []),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(body)}`]),
    ...(file === undefined
      ? []
      : [
          `-H ${quoted(`Content-Type: ${fileType}`)}`,
          `-H ${quoted(`X-Filename: ${encodeURIComponent(file)}`)}`,
          dataOf(file)
        ])
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
    const isSame = ({ body, file, method, path }: SentRequest): boolean =>
      method === request.method && path === request.path && body === request.body && file === request.file
    // One that is asked again and again stands there once.
    const others = this.#sent.filter((one) => !isSame(one))
    this.#sent = [request, ...others].slice(0, mostKept)
    this.#onChange()
  }

  /** Notes what a page looks at every few seconds: it stands where it stood first, and does not push what is done down. */
  addLook(request: SentRequest): void {
    const { method, path } = request
    const isKnown = this.#sent.some(
      (one) => one.method === method && one.path === path && one.status === request.status
    )
    if (!isKnown) this.add(request)
  }

  clear(): void {
    this.#sent = []
    this.#onChange()
  }
}
