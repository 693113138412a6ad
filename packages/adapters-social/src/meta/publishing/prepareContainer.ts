import type { ReadFailed, WriteFailed } from "@loopbox/core/networks/ConnectorErrors"
import type { PreparationStep } from "@loopbox/core/networks/publishing/NetworkPublish"
import type { PreparationFailed } from "@loopbox/core/networks/publishing/PublishErrors"
import type { Network } from "../../names.ts"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { again, pauseAfter, preparationReader, ready } from "../../publishing/preparation.ts"
import { containerExpired, containerFailed, preparing } from "./refusals.ts"

/** Containers of a post at Instagram or Threads: the post's own, and those of a carousel's parts. */
const Containers = Schema.Struct({
  container: Schema.NullOr(Schema.String),
  children: Schema.Array(Schema.Struct({ id: Schema.String, isReady: Schema.Boolean })),
  /** How often was asked whether what is made last is ready. */
  polls: Schema.Int
})
export type Containers = typeof Containers.Type

/** What is kept of the work at the network. */
export const containersOf = preparationReader(Containers, { container: null, children: [], polls: 0 })

/** What a container says of itself. */
export interface ContainerState {
  readonly status: string
  /** The network's words about an error. */
  readonly words: string
}

/** How one network makes the containers of one post. */
export interface ContainerSteps {
  readonly network: Network
  /** The parts of a carousel; of anything else none. */
  readonly parts: ReadonlyArray<{
    readonly create: Effect.Effect<string, WriteFailed>
    /** A video is processed; an image is there at once. */
    readonly isProcessed: boolean
  }>
  readonly create: (children: ReadonlyArray<string>) => Effect.Effect<string, WriteFailed>
  /** Whether the container itself is processed: words are there at once. */
  readonly isProcessed: boolean
  readonly read: (id: string) => Effect.Effect<ContainerState, ReadFailed>
}

type Step = Effect.Effect<PreparationStep, ReadFailed | PreparationFailed>

/** Whether a container is ready. One that can't be read yet is not: reading lags behind making (B1.2). */
const isReady = Effect.fnUntraced(function* ({ network, read }: ContainerSteps, id: string) {
  const { status, words } = yield* read(id).pipe(
    Effect.catchTag("Rejected", (error) =>
      error.reason === "gone" ? Effect.succeed({ status: "IN_PROGRESS", words: "" }) : Effect.fail(error)
    )
  )
  if (status === "ERROR") return yield* containerFailed(network, words)
  if (status === "EXPIRED") return yield* containerExpired(network)
  return status === "FINISHED" || status === "PUBLISHED"
})

/** The next call: a part's container, whether a part is ready, the post's container, whether that is ready. */
export const prepareContainer = (steps: ContainerSteps, kept: Containers): Step =>
  Effect.gen(function* () {
    const { children, container, polls } = kept
    const part = steps.parts[children.length]
    if (container === null && part !== undefined) {
      const id = yield* preparing(part.create)
      return again({ ...kept, children: [...children, { id, isReady: !part.isProcessed }] })
    }
    const waiting = children.find((child) => !child.isReady)
    if (container === null && waiting !== undefined) {
      if (!(yield* isReady(steps, waiting.id))) return again({ ...kept, polls: polls + 1 }, pauseAfter(polls))
      const done = children.map((child) => (child.id === waiting.id ? { ...child, isReady: true } : child))
      return again({ ...kept, children: done, polls: 0 })
    }
    if (container === null) {
      const id = yield* preparing(steps.create(children.map(({ id }) => id)))
      const made = { ...kept, container: id, polls: 0 }
      return steps.isProcessed ? again(made, Duration.seconds(2)) : ready(made)
    }
    if (!steps.isProcessed || (yield* isReady(steps, container))) return ready(kept)
    return again({ ...kept, polls: polls + 1 }, pauseAfter(polls))
  })

/** The post's container; none before it is made. */
export const containerIn = ({ container }: Containers): Option.Option<string> => Option.fromNullishOr(container)
