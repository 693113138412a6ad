import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Erasures } from "../accounts/Erasures.ts"
import { ofEach } from "../accounts/ofEach.ts"
import { Connectors } from "../networks/Connectors.ts"
import { DeletionRequests, type KeptDeletion } from "./DeletionRequests.ts"

/** Erases the accounts of a request; it is completed when nothing is left of them. May be repeated. */
export const carryOutDeletion = Effect.fnUntraced(function* (request: KeptDeletion) {
  const erasures = yield* Erasures
  const { redact } = yield* Connectors
  yield* ofEach(request.accounts, (key) => erasures.erase(key, redact))
  const left = yield* Effect.filter(request.accounts, (key) => erasures.isLeft(key))
  if (left.length > 0) return request
  const completedAt = yield* DateTime.now
  yield* (yield* DeletionRequests).complete(request.code, completedAt)
  return { ...request, completedAt: Option.some(completedAt) }
})
