import { request } from "../apiClient.ts"
import { sleep } from "../hostProcess.ts"
import type { Member } from "./hosts.ts"

export type Answer = Awaited<ReturnType<typeof request>>

/** 503, or the one 500 that the interface asks for: the scope could not be looked up, and nothing has run. */
const isUnavailable = ({ headers, status, text }: Answer): boolean =>
  headers.has("retry-after") && (status === 503 || (status === 500 && text.includes("INBOX_SCOPE_LOOKUP_FAILED")))

/** Against what hangs; a fault lasts ten seconds, and a primary's death as long as it takes to promote the standby. */
const patience_ms = 300_000

export interface Asked {
  readonly method?: "GET" | "POST" | "PUT" | "DELETE"
  readonly body?: unknown
  readonly bytes?: Uint8Array<ArrayBuffer>
  /** Of the bytes. */
  readonly type?: string
  readonly idempotencyKey?: string
  /** Answers that end the call, whatever they say. */
  readonly wanted: ReadonlyArray<number>
  /** Answers that are described for it, after which it is asked again. */
  readonly again?: ReadonlyArray<number>
}

/** A customer with a key who asks hosts in turn, repeats what was not answered or answered 503, and notes what nobody should be told. */
export const makeCaller = (members: ReadonlyArray<Member>, key: string) => {
  const wrong: Array<string> = []
  const counts = { answered: 0, unavailable: 0, broken: 0 }
  let turn = 0
  const whose = () => {
    turn += 1
    return members[turn % members.length]
  }
  const init = ({ body, bytes, idempotencyKey, method = "GET", type }: Asked) => {
    const headers = new Headers()
    if (body !== undefined) headers.set("content-type", "application/json")
    if (type !== undefined) headers.set("content-type", type)
    if (idempotencyKey !== undefined) headers.set("idempotency-key", idempotencyKey)
    const sent = bytes ?? (body === undefined ? undefined : JSON.stringify(body))
    return { method, token: key, headers, ...(sent === undefined ? {} : { body: sent }) }
  }
  /** One request; undefined where it has to be asked again. */
  const ask = async (path: string, asked: Asked): Promise<Answer | undefined> => {
    const member = whose()
    const begun_ms = performance.now()
    const answer = await request(`${member?.url}${path}`, init(asked)).catch(String)
    if (typeof answer === "string") {
      if (member?.isExcused(begun_ms) === true) counts.broken += 1
      else wrong.push(`${asked.method ?? "GET"} ${path} at ${member?.name}: ${answer}`)
      return undefined
    }
    if (asked.wanted.includes(answer.status)) {
      counts.answered += 1
      return answer
    }
    if (isUnavailable(answer)) counts.unavailable += 1
    else if (asked.again?.includes(answer.status) !== true) {
      wrong.push(`${asked.method ?? "GET"} ${path} at ${member?.name}: ${answer.status} ${answer.text}`)
    }
    return undefined
  }
  return {
    key,
    wrong,
    counts,
    /** Until it is answered so. */
    insist: async (path: string, asked: Asked): Promise<Answer> => {
      const deadline = performance.now() + patience_ms
      for (;;) {
        const answer = await ask(path, asked)
        if (answer !== undefined) return answer
        if (performance.now() > deadline) throw new Error(`${path}: no answer that was wanted; ${wrong.join("\n")}`)
        await sleep(150)
      }
    }
  }
}

export type Caller = ReturnType<typeof makeCaller>
