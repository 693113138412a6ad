import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { DeletionRequests, type KeptDeletion } from "@loopbox/core/connecting/DeletionRequests"

export const layer: Layer.Layer<DeletionRequests> = Layer.sync(DeletionRequests, () => {
  const codes = new Map<string, string>()
  const requests = new Map<string, KeptDeletion>()
  return DeletionRequests.of({
    put: (request, requestDigest) =>
      Effect.sync(() => {
        const known = requests.get(codes.get(requestDigest) ?? "")
        if (known !== undefined) return known
        codes.set(requestDigest, request.code)
        requests.set(request.code, request)
        return request
      }),
    find: (code) => Effect.sync(() => Option.fromUndefinedOr(requests.get(code))),
    listOpen: (limit) =>
      Effect.sync(() =>
        Array.from(requests.values())
          .filter(({ completedAt }) => Option.isNone(completedAt))
          .sort((a, b) => DateTime.toEpochMillis(a.createdAt) - DateTime.toEpochMillis(b.createdAt))
          .slice(0, limit)
      ),
    complete: (code, at) =>
      Effect.sync(() => {
        const request = requests.get(code)
        if (request !== undefined) requests.set(code, { ...request, completedAt: Option.some(at) })
      }),
    removeOlder: (before, limit) =>
      Effect.sync(() => {
        const old = Array.from(requests.values())
          .filter(({ completedAt }) => Option.exists(completedAt, DateTime.isLessThan(before)))
          .slice(0, limit)
        for (const { code } of old) requests.delete(code)
        return old.length
      })
  })
})
