import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** Additions that a context keeps beside its services. A request makes twenty, of which not all are open at once. */
const maxDepth = 32

/**
 * Builds a layer with a context that keeps what is added to it beside the services that it has, and hands this on to the
 * requests that run in it. After eight additions, which is effect's own measure, a context copies all of a host's
 * services: once or twice with each request, and again with each of its transactions.
 */
export const inDeepContext = <A, E, R>(layer: Layer.Layer<A, E, R>): Layer.Layer<A, E, R> =>
  Layer.effectContext(
    Effect.flatMap(Effect.scope, (scope) =>
      Effect.updateContext(Layer.buildWithScope(layer, scope), (context: Context.Context<R>) =>
        Context.makeUnsafe<R>(context.mapUnsafe, { maxDepth })
      )
    )
  )
