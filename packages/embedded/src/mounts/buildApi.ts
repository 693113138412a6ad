import { HttpSettings, NodeHandler, WebHandler } from "@loopbox/adapters-http"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { MountImpossible } from "./MountImpossible.ts"

/** Both handlers have the same routes. */
type Needs = Exclude<Layer.Services<typeof NodeHandler.layer>, HttpSettings>

const requireSettings = (context: Context.Context<never>) =>
  Option.match(Context.getOption(context, HttpSettings), {
    onNone: () => Effect.fail(new MountImpossible()),
    onSome: Effect.succeed
  })

const provided = Effect.fnUntraced(function* (context: Context.Context<Needs>) {
  return Layer.succeedContext(Context.add(context, HttpSettings, yield* requireSettings(context)))
})

/** The routes for Node's requests, as long as the scope. */
export const buildNode = Effect.fnUntraced(function* (context: Context.Context<Needs>) {
  const built = yield* Layer.build(Layer.provide(NodeHandler.layer, yield* provided(context)))
  return Context.get(built, NodeHandler)
})

/** The routes for requests of the fetch standard, as long as the scope. */
export const buildWeb = Effect.fnUntraced(function* (context: Context.Context<Needs>) {
  const built = yield* Layer.build(Layer.provide(WebHandler.layer, yield* provided(context)))
  return Context.get(built, WebHandler)
})
