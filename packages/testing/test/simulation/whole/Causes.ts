import type { OutgoingEndpointId } from "@loopbox/core/kernel/Ids"

interface Cause {
  readonly from: number
  readonly to: number
  /** Absent: of every endpoint. */
  readonly endpointId: OutgoingEndpointId | undefined
}

/**
 * What may have made something happen again: a process that died or slept, an answer of the store that was lost, a
 * customer who asked for it. What is done twice without one of them is a fault.
 */
export const makeCauses = () => {
  const all: Array<Cause> = []
  return {
    note: (from: number, to = from, endpointId?: OutgoingEndpointId) => void all.push({ from, to, endpointId }),
    /** Whether there is one between two moments, in milliseconds. */
    explain: (from: number, to: number, endpointId: OutgoingEndpointId): boolean =>
      all.some((one) => one.from <= to && from <= one.to && (one.endpointId ?? endpointId) === endpointId)
  }
}

export type Causes = ReturnType<typeof makeCauses>
