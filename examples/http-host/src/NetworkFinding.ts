/** What one look at the networks found; `unchecked`: it could not be looked at, and why. */
export interface NetworkFinding {
  readonly name: string
  readonly status: "ok" | "failed" | "unchecked"
  readonly message: string
}

export const well = (name: string, message: string): NetworkFinding => ({ name, status: "ok", message })
export const unwell = (name: string, message: string): NetworkFinding => ({ name, status: "failed", message })
export const unchecked = (name: string, message: string): NetworkFinding => ({ name, status: "unchecked", message })
