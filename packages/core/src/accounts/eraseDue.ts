import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Option from "effect/Option"
import type { Redact } from "../kernel/Redact.ts"
import { type Erasure, Erasures } from "./Erasures.ts"

/** Erasures that are advanced once each before the list is read again. */
const atOnce = 100

const nameOf = (erasure: Erasure): string => {
  const of =
    erasure._tag === "Account" ? erasure.accountId : erasure._tag === "ManagedUser" ? erasure.externalUserId : ""
  return `${erasure._tag} ${erasure.workspaceId} ${of}`
}

/**
 * Advances all due erasures in turn, so that a large account does not block the others. An erasure that fails, or that
 * another process works on, is skipped until the next call.
 */
export const eraseDue = Effect.fnUntraced(function* (before: DateTime.Utc, redact: Option.Option<Redact>) {
  const erasures = yield* Erasures
  const passed = new Set<string>()

  const turn = Effect.fnUntraced(function* (erasure: Erasure) {
    const exit = yield* Effect.exit(erasures.advance(erasure, before, redact))
    if (Exit.isSuccess(exit) && exit.value !== "Busy") return
    passed.add(nameOf(erasure))
    if (Exit.isSuccess(exit)) return
    const { _tag: kind, workspaceId } = erasure
    yield* Effect.logWarning("an erasure failed, and is tried again with the next sweep", exit.cause).pipe(
      Effect.annotateLogs({ kind, workspaceId })
    )
  })

  for (;;) {
    const due = (yield* erasures.list(before, atOnce + passed.size)).filter((erasure) => !passed.has(nameOf(erasure)))
    if (due.length === 0) return
    yield* Effect.forEach(due, turn, { discard: true })
  }
})
