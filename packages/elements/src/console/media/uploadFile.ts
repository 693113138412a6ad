import { LoopboxError } from "@loopbox/client"
import type { SentRequest } from "../shell/RequestLog.ts"

interface Answer {
  readonly data?: { readonly id: string }
  readonly error?: { readonly code?: string; readonly message?: string }
  readonly request_id?: string
}

const readAnswer = (text: string): Answer => {
  try {
    const answer: Answer = JSON.parse(text)
    return answer
  } catch {
    return {}
  }
}

export interface UploadOptions {
  readonly workspaceId: string
  /** Gets what part of it has been sent, from 0 to 1. */
  readonly onProgress: (sent: number) => void
  /** Gets the request once it is answered. */
  readonly onAnswer: (sent: SentRequest) => void
  readonly signal: AbortSignal
}

/** Uploads a file and gives its id. By XMLHttpRequest, since `fetch` does not tell how much has been sent. */
export const uploadFile = (file: File, { onAnswer, onProgress, signal, workspaceId }: UploadOptions): Promise<string> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const fail = (message: string, status: number, code: string, requestId: string | null = null) =>
      reject(new LoopboxError(message, { status, code, requestId }))
    request.open("POST", "/console/v1/media")
    request.setRequestHeader("Loopbox-Workspace", workspaceId)
    const fileType = file.type === "" ? "image/gif" : file.type
    request.setRequestHeader("Content-Type", fileType)
    request.setRequestHeader("X-Filename", encodeURIComponent(file.name))
    request.upload.addEventListener("progress", ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress(loaded / total)
    })
    request.addEventListener("load", () => {
      const { data, error, request_id = null } = readAnswer(request.responseText)
      const { status } = request
      const sent = { method: "POST", path: "/v1/media", body: undefined, status, requestId: request_id }
      onAnswer({ ...sent, file: file.name, fileType })
      if (status === 201 && data !== undefined) resolve(data.id)
      else fail(error?.message ?? `The host answered ${status}.`, status, error?.code ?? "INTERNAL_ERROR", request_id)
    })
    request.addEventListener("error", () => fail("The connection was lost during the upload.", 0, "CONNECTION_FAILED"))
    request.addEventListener("abort", () => reject(signal.reason))
    signal.addEventListener("abort", () => request.abort(), { once: true })
    request.send(file)
  })
