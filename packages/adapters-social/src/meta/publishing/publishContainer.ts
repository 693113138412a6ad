import { OutcomeUnknown } from "@loopbox/core/networks/ConnectorErrors"
import type { ReadFailed, WriteFailed } from "@loopbox/core/networks/ConnectorErrors"
import type { Preparation } from "@loopbox/core/networks/publishing/NetworkPublish"
import { NotYet } from "@loopbox/core/networks/publishing/PublishErrors"
import type { Network } from "../../names.ts"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { containerIn, containersOf } from "./prepareContainer.ts"
import type { ContainerState } from "./prepareContainer.ts"
import { publishing } from "./publishing.ts"

/**
 * Publishes a prepared container. A refusal may be of a container that an earlier call has published after all: only
 * one that is not published proves that nothing was.
 */
export const publishContainer = <A>(
  network: Network,
  preparation: Preparation,
  publish: (container: string) => Effect.Effect<A, WriteFailed>,
  read: (id: string) => Effect.Effect<ContainerState, ReadFailed>
): Effect.Effect<A, WriteFailed | NotYet> =>
  Option.match(containerIn(containersOf(Option.some(preparation))), {
    onNone: () => Effect.fail(new NotYet({ network, networkCode: Option.none(), detail: "no container was prepared" })),
    onSome: (container) =>
      publishing(publish(container)).pipe(
        Effect.catchTag("Rejected", (refusal) =>
          read(container).pipe(
            Effect.map(({ status }) => status === "PUBLISHED"),
            Effect.orElseSucceed(() => true),
            Effect.flatMap((isOpen) => {
              const { detail, networkCode } = refusal
              return Effect.fail(isOpen ? new OutcomeUnknown({ network, networkCode, detail }) : refusal)
            })
          )
        )
      )
  })
