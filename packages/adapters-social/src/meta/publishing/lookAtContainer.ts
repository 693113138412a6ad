import type { ReadFailed } from "@loopbox/core/networks/ConnectorErrors"
import type { PublicationLook, UncertainPublication } from "@loopbox/core/networks/publishing/NetworkPublish"
import type { Published } from "@loopbox/core/networks/publishing/Publication"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { isOver } from "@loopbox/core/networks/publishing/onlyMatch"
import { containerIn, containersOf } from "./prepareContainer.ts"
import type { ContainerState } from "./prepareContainer.ts"

const nothing: PublicationLook = { _tag: "Nothing" }

/**
 * What became of a publication, by its container (B1.4, B3.5). A published one does not say as what, so the account's
 * list has to show exactly one post that fits. A container that can't be read says nothing, and then only words tell the
 * post from one that a person made by hand.
 */
export const lookAtContainer = Effect.fnUntraced(function* (
  uncertain: UncertainPublication,
  read: (id: string) => Effect.Effect<ContainerState, ReadFailed>,
  match: Effect.Effect<Option.Option<Published>, ReadFailed>
): Effect.fn.Return<PublicationLook, ReadFailed> {
  const container = containerIn(containersOf(Option.some(uncertain.preparation)))
  // Without a container nothing can have been published, and nothing can be.
  if (Option.isNone(container)) return { _tag: "Void" }
  const { status } = yield* read(container.value).pipe(
    Effect.catchTag("Rejected", () => Effect.succeed({ status: "unreadable", words: "" }))
  )
  if (status === "ERROR" || status === "EXPIRED") return { _tag: "Void" }
  if (status === "FINISHED") return isOver(uncertain, yield* DateTime.now) ? { _tag: "NotPublished" } : nothing
  const { kind, text } = uncertain.publication
  // Stories have no words of their own, either.
  const hasWords = kind !== "story" && text.trim() !== ""
  if (status !== "PUBLISHED" && !(status === "unreadable" && hasWords)) return nothing
  return Option.match(yield* match, {
    onNone: () => nothing,
    onSome: (published): PublicationLook => ({ _tag: "Found", published })
  })
})
