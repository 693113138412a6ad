import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { LeaseLost } from "@loopbox/core/kernel/lease/LeaseLost"
import type { SweepKind, SweepTurns } from "@loopbox/core/kernel/lease/SweepTurns"

interface Row {
  readonly token: string | undefined
  readonly leaseUntil: DateTime.Utc | undefined
  readonly sweptAt: DateTime.Utc | undefined
}

/** Turns that several processes of a test share, and that outlive each of them. */
export const memorySweepTurns = (): SweepTurns => {
  const rows = new Map<SweepKind, Row>()
  const change = ({ kind, token }: { readonly kind: SweepKind; readonly token: string }, by: Partial<Row>) =>
    Effect.suspend(() => {
      const row = rows.get(kind)
      if (row?.token !== token) return Effect.fail(new LeaseLost({ what: "sweep", id: kind }))
      rows.set(kind, { ...row, ...by })
      return Effect.void
    })
  const free = { token: undefined, leaseUntil: undefined }
  return {
    take: ({ every, kind, leaseNow, leaseUntil, now, token }) =>
      Effect.sync(() => {
        const row = rows.get(kind)
        const isHeld = row?.leaseUntil !== undefined && DateTime.isGreaterThan(row.leaseUntil, leaseNow)
        const isDone =
          row?.sweptAt !== undefined &&
          DateTime.isGreaterThan(DateTime.addDuration(row.sweptAt, every), now) &&
          !DateTime.isGreaterThan(row.sweptAt, now)
        if (isHeld || isDone) return false
        rows.set(kind, { token, leaseUntil, sweptAt: row?.sweptAt })
        return true
      }),
    renew: (turn, leaseUntil) => change(turn, { leaseUntil }),
    release: (turn) => change(turn, free),
    settle: (turn, now) => change(turn, { sweptAt: now, ...free }),
    last: Effect.sync(
      () => new Map(Array.from(rows).flatMap(([kind, { sweptAt }]) => (sweptAt === undefined ? [] : [[kind, sweptAt]])))
    )
  }
}
