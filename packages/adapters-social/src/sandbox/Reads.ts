import type { Network } from "@loopbox/core/connectors/Source"
import type { ReadFault } from "./Faults.ts"
import type { SandboxAnswer, SandboxRead } from "./readAnswers.ts"

/** What a network was asked; the token is not kept. */
export interface AskedRead {
  readonly network: Network
  readonly id: string
}

const mostAsked = 1_000

const graphAnswers: Record<ReadFault["kind"], SandboxAnswer> = {
  rate: { status: 400, headers: { "retry-after": "30" }, body: { error: { message: "(#4) limit reached", code: 4 } } },
  server_error: { status: 500, body: { error: { message: "(#2) temporary", code: 2, is_transient: true } } },
  page: { status: 200, body: "<html>" },
  token: { status: 400, body: { error: { message: "Session has expired", code: 190, error_subcode: 463 } } }
}

const xAnswers: Record<ReadFault["kind"], SandboxAnswer> = {
  rate: { status: 429, headers: { "retry-after": "30" }, body: { title: "Too Many Requests", status: 429 } },
  server_error: { status: 503, body: { title: "Service Unavailable", status: 503 } },
  page: { status: 200, body: "<html>" },
  token: { status: 401, body: { title: "Unauthorized", status: 401 } }
}

/** Reads as they come in: noted, and answered wrongly as long as a fault says so. */
export class Reads {
  private readonly faults = new Map<Network, ReadFault>()
  private readonly asked: Array<AskedRead> = []

  readonly fail = (fault: ReadFault): void => {
    this.faults.set(fault.network, fault)
  }

  /** The last thousand, oldest first. */
  readonly list = (): ReadonlyArray<AskedRead> => [...this.asked]

  readonly answer = (read: SandboxRead, truth: (read: SandboxRead) => SandboxAnswer): SandboxAnswer => {
    const { id, network } = read
    this.asked.push({ network, id })
    if (this.asked.length > mostAsked) this.asked.shift()
    const fault = this.faults.get(network)
    if (fault === undefined || fault.times === 0) return truth(read)
    this.faults.set(network, { ...fault, times: fault.times - 1 })
    return (network === "x" ? xAnswers : graphAnswers)[fault.kind]
  }
}
