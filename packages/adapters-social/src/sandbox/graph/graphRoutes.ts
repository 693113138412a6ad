import * as Result from "effect/Result"
import type { AccountScene, Ask, Operation, SandboxAnswer, Scene } from "../Operation.ts"
import { toAnswer } from "../control/routes.ts"
import type { Writing } from "../Writing.ts"
import { forgotten, gone } from "./graphAnswers.ts"
import { parseFields, select } from "./graphFields.ts"
import type { GraphNode } from "./graphFields.ts"
import { pageOfAsk, readPage } from "./graphPages.ts"
import type { PagedList } from "./graphPages.ts"

/** An operation that reads one object; none where there is no such object. */
export const reading = (
  name: string,
  scope: string | undefined,
  find: (scene: AccountScene, ask: Ask) => Result.Result<GraphNode, SandboxAnswer>
): Operation => ({
  name,
  scope,
  answer: (scene, ask) =>
    toAnswer(
      Result.gen(function* () {
        const fields = yield* parseFields(ask.text("fields"))
        return yield* select(yield* find(scene, ask), fields)
      })
    )
})

/** An operation that reads a list, page by page. */
export const listing = <A>(
  name: string,
  scope: string | undefined,
  find: (scene: AccountScene, ask: Ask) => Result.Result<PagedList<A>, SandboxAnswer>
): Operation => ({
  name,
  scope,
  answer: (scene, ask) =>
    toAnswer(
      Result.gen(function* () {
        return yield* readPage(yield* find(scene, ask), yield* pageOfAsk(ask))
      })
    )
})

/** Whether it can be read by its id: not what stands on ads and live videos, and nothing without access. */
export const isReadable =
  ({ settings }: AccountScene) =>
  ({ kind, surface }: Writing): boolean =>
    surface === "post" && (kind === "post" || !settings.empty_lists)

/** Why nothing is found under an id. */
export const missing = (scene: AccountScene, id: string): SandboxAnswer => missingId(scene, id)

/** The same, whoever asks. */
export const missingId = ({ world }: Scene, id: string): SandboxAnswer =>
  world.ids.isOfAnotherWorld(id) ? forgotten(id) : gone(id)

/** An object that is none. */
export const nothing: Operation = reading("object", undefined, (scene, ask) =>
  Result.fail(missing(scene, ask.param("id")))
)
