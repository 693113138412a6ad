import type { SandboxAnswer } from "../Operation.ts"

/** Anything of Meta's or Threads' that says no. */
export const graphError = (
  status: number,
  code: number,
  error_subcode: number | undefined,
  message: string,
  headers: Readonly<Record<string, string>> = {}
): SandboxAnswer => ({
  status,
  headers,
  body: {
    error: {
      message,
      type: code === 100 && error_subcode === 33 ? "GraphMethodException" : "OAuthException",
      code,
      ...(error_subcode === undefined ? {} : { error_subcode }),
      is_transient: code === 1 || code === 2 || code === 4,
      fbtrace_id: "Sandbox"
    }
  }
})

export const invalid = (message: string): SandboxAnswer => graphError(400, 100, undefined, `(#100) ${message}`)

export const gone = (id: string): SandboxAnswer =>
  graphError(
    400,
    100,
    33,
    `Unsupported request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation.`
  )

/** Not gone: nobody knows. Whoever took it for gone would delete what an earlier start of the sandbox told. */
export const forgotten = (id: string): SandboxAnswer =>
  invalid(`Object with ID '${id}' is of an earlier start of this sandbox, which remembers nothing of it.`)
