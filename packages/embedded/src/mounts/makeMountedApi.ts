import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import type { MountedApi } from "./MountedApi.ts"

type Needs = Parameters<(typeof import("./buildApi.ts"))["buildNode"]>[0]

/** What is made by the first who asks, and is the same for all. A failure is told to each of them. */
const once = <A>(make: () => Promise<A>): (() => Promise<A>) => {
  let made: Promise<A> | undefined
  return () => (made ??= make())
}

/** The API is loaded and built when the first request comes; it ends with the scope, before what it runs on. */
export const makeMountedApi = (context: Needs, scope: Scope.Scope): MountedApi => {
  const inScope = <A, E>(build: Effect.Effect<A, E, Scope.Scope>) =>
    Effect.runPromise(Effect.provideContext(build, context).pipe(Effect.provideService(Scope.Scope, scope)))
  return {
    node: once(async () => inScope((await import("./buildApi.ts")).buildNode(context))),
    web: once(async () => inScope((await import("./buildApi.ts")).buildWeb(context)))
  }
}
