import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { type ConsoleGrant, ConsoleSessionStore } from "@loopbox/core/access/ConsoleSessionStore"

const removedAtOnce = 1_000

export const layer: Layer.Layer<ConsoleSessionStore> = Layer.sync(ConsoleSessionStore, () => {
  const grants = new Map<string, ConsoleGrant>()
  const findOf = (kind: ConsoleGrant["kind"], digest: string) =>
    Option.filter(Option.fromUndefinedOr(grants.get(digest)), (grant) => grant.kind === kind)
  return ConsoleSessionStore.of({
    add: (grant, now) =>
      Effect.sync(() => {
        const expired = Array.from(grants.values()).filter(({ expiresAt }) =>
          DateTime.isLessThanOrEqualTo(expiresAt, now)
        )
        for (const { digest } of expired.slice(0, removedAtOnce)) grants.delete(digest)
        grants.set(grant.digest, grant)
      }),
    take: (digest) =>
      Effect.sync(() => {
        const found = findOf("ticket", digest)
        if (Option.isSome(found)) grants.delete(digest)
        return found
      }),
    findSession: (digest) => Effect.sync(() => findOf("session", digest)),
    removeSession: (digest) =>
      Effect.sync(() => {
        if (Option.isSome(findOf("session", digest))) grants.delete(digest)
      })
  })
})
