import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { carryOutDeletion } from "../connecting/carryOutDeletion.ts"
import { DeletionRequests, type KeptDeletion } from "../connecting/DeletionRequests.ts"

/** Requests that are gone through before the list is read again. */
const atOnce = 100

/**
 * Carries out the requests that a crash or a large account has left open. One that fails, or of which something is left,
 * is skipped until the next call, so that it keeps none behind it waiting.
 */
export const carryOutDeletions = Effect.gen(function* () {
  const deletions = yield* DeletionRequests
  const passed = new Set<string>()

  const turn = Effect.fnUntraced(function* (request: KeptDeletion) {
    // One that is completed already must not be met again either, or the list would have no end.
    passed.add(request.code)
    const exit = yield* Effect.exit(carryOutDeletion(request))
    if (Exit.isSuccess(exit)) return
    // Who has the code reads the request's page, so the log has its accounts instead.
    yield* Effect.logWarning("a request to delete failed, and is tried again with the next sweep", exit.cause).pipe(
      Effect.annotateLogs({ accounts: request.accounts.map(({ accountId }) => accountId).join(" ") })
    )
  })

  for (;;) {
    const open = yield* deletions.listOpen(atOnce + passed.size)
    const rest = open.filter(({ code }) => !passed.has(code))
    if (rest.length === 0) return
    yield* Effect.forEach(rest, turn, { discard: true })
  }
})
