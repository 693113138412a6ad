import * as Context from "effect/Context"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

export const actorTypes = ["api_key", "member", "operator", "system"] as const
export const ActorType = Schema.Literals(actorTypes)
export type ActorType = typeof ActorType.Type

/** Who makes a change. */
export interface Actor {
  readonly type: ActorType
  /** The key's or member's id; the operator and the system have none. */
  readonly id: Option.Option<string>
  /** The request that asked for it. */
  readonly requestId: Option.Option<string>
}

const nobody = { id: Option.none(), requestId: Option.none() }

/** Loopbox itself: its workers, and what a person does in a browser at a network. */
export const system: Actor = { type: "system", ...nobody }

/** Whoever runs Loopbox: by the admin token, or by a program that it is part of. */
export const operator: Actor = { type: "operator", ...nobody }

/**
 * Who makes the changes of this fiber, and of those that it starts; `system` unless the edge has said otherwise.
 *
 * A reference and no argument: the stores read it in the transaction of a change, so that no service between them and the
 * edge can leave it out or name somebody else.
 */
export const CurrentActor = Context.Reference<Actor>("@loopbox/core/audit/CurrentActor", {
  defaultValue: () => system
})
