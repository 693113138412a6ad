import { assert } from "@effect/vitest"
import { Context, DateTime, Effect, Layer } from "effect"
import type { LeaseRequest } from "@loopbox/core/kernel/lease/claimLoop"

/** Who was given a piece of work last, and until when on the lease clock; no end: a store may take it back at any moment. */
interface Given {
  readonly token: string
  readonly until: DateTime.Utc | undefined
}

/**
 * What every lease promises, whatever it is for: nobody is given what another still has, and a store takes nothing under a
 * lease that was lost or given back. It is judged at the ports, so that a breach is seen where no harm came of it.
 */
const makeLaw = () => {
  const given = new Map<string, Given>()
  const violations: Array<string> = []
  /** How often each was claimed, but for claims that were given back. */
  const begun = new Map<string, number>()
  /** It may be given to somebody at that time on the lease clock. */
  const judgeFree = (name: string, leaseNow: DateTime.Utc) => {
    const before = given.get(name)?.until
    if (before !== undefined && DateTime.isGreaterThan(before, leaseNow))
      violations.push(`${name} was claimed while another had it`)
  }
  return {
    violations,
    judgeFree,
    claim: (name: string, { leaseNow, leaseUntil, token }: Pick<LeaseRequest, "leaseNow" | "leaseUntil" | "token">) => {
      judgeFree(name, leaseNow)
      given.set(name, { token, until: leaseUntil })
    },
    /** The same for leases that a store may end by itself. */
    claimLoosely: (name: string, token: string) => void given.set(name, { token, until: undefined }),
    /** It says how often it was begun before this claim. */
    count: (name: string, before: number) => {
      const known = begun.get(name) ?? 0
      if (before !== known) violations.push(`${name} says that it was begun ${before} times, and was ${known} times`)
      begun.set(name, known + 1)
    },
    /** The claim was given back: it counts as none. */
    uncount: (name: string) => void begun.set(name, (begun.get(name) ?? 1) - 1),
    /** It was given up, which is right only after so many. */
    giveUp: (name: string, most: number) => {
      const known = begun.get(name) ?? 0
      if (known < most) violations.push(`${name} was given up after ${known} of ${most} attempts`)
    },
    /** The store has taken something under this lease, which now lasts until then. */
    take: (name: string, token: string, until?: DateTime.Utc) => {
      const known = given.get(name)
      if (known?.token !== token) return void violations.push(`${name}: a lease that was lost counted`)
      if (until !== undefined && known.until !== undefined) given.set(name, { token, until })
    },
    /** It was given back: what is asked for under it from now on comes too late. */
    end: (name: string) => void given.delete(name),
    /** Its work has ended; who did not hear the answer may say the same again. */
    endAskedAgain: (name: string, token: string) => void given.set(name, { token, until: undefined })
  }
}

export class LeaseLaw extends Context.Service<LeaseLaw, ReturnType<typeof makeLaw>>()("LeaseLaw") {
  static readonly layer: Layer.Layer<LeaseLaw> = Layer.sync(LeaseLaw, makeLaw)
}

/** What must hold at every moment, whatever is under way. */
export const checkLeases = Effect.map(LeaseLaw, ({ violations }) =>
  assert.isEmpty(violations, violations.slice(0, 5).join("; "))
)
