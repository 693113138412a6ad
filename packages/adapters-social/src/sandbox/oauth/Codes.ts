import type { Network } from "../../names.ts"
import * as DateTime from "effect/DateTime"
import { digitsOf } from "../worldIds.ts"

/** What a person allowed, until the app fetches it with the code. */
export interface Allowed {
  readonly network: Network
  readonly clientId: string
  readonly redirectUri: string
  readonly personId: string
  /** The account that signed in; on Facebook the person. */
  readonly accountId: string
  readonly scopes: ReadonlyArray<string>
  /** PKCE: its method, and what the verifier has to give. */
  readonly challenge: { readonly method: "S256" | "plain"; readonly value: string } | undefined
}

interface Kept {
  readonly allowed: Allowed
  readonly endsAt: DateTime.Utc
  readonly isUsed: boolean
}

/** An hour, and on X half a minute. */
const life_s: Record<Network, number> = { instagram: 3_600, facebook: 3_600, threads: 3_600, x: 30 }

const mostCodes = 10_000

/** Codes of dialogs: each is taken once, and has its end. */
export class Codes {
  private readonly kept = new Map<string, Kept>()
  private made = 0
  private readonly seed: number

  constructor(seed: number) {
    this.seed = seed
  }

  readonly make = (allowed: Allowed, at: DateTime.Utc): string => {
    this.made++
    const code = `sandbox-code-${digitsOf(`${this.seed} code ${this.made}`, 40)}`
    this.kept.set(code, {
      allowed,
      endsAt: DateTime.add(at, { seconds: life_s[allowed.network] }),
      isUsed: false
    })
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= mostCodes) break
      this.kept.delete(oldest)
    }
    return code
  }

  /** What the code stands for; it can't be taken again, whatever becomes of this time. */
  readonly take = (
    network: Network,
    clientId: string,
    code: string | undefined,
    at: DateTime.Utc
  ): Allowed | "unknown" | "used" | "expired" => {
    const kept = code === undefined ? undefined : this.kept.get(code)
    if (code === undefined || kept?.allowed.network !== network || kept.allowed.clientId !== clientId) return "unknown"
    if (kept.isUsed) return "used"
    this.kept.set(code, { ...kept, isUsed: true })
    return DateTime.isLessThanOrEqualTo(kept.endsAt, at) ? "expired" : kept.allowed
  }
}
