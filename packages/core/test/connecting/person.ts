import { assert } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { WorkspaceScope } from "../../src/access/InboxScope.ts"
import {
  type Choosing,
  ConnectSessions,
  type Ended,
  type NewConnectSession,
  type NothingChosen,
  type Redirect,
  type Waiting
} from "../../src/connecting/ConnectSessions.ts"
import type { WorkspaceId } from "../../src/kernel/Ids.ts"
import * as MemoryCredentialVault from "@loopbox/adapters-memory/MemoryCredentialVault"
import * as FakeConnect from "@loopbox/testing/fakes/FakeConnect"
import { layerServices, memory } from "@loopbox/testing/layers/testLayers"

/** Sessions over memory adapters and scripted networks, fresh for each test. */
export const layerConnecting = Layer.merge(ConnectSessions.layer, layerServices).pipe(
  Layer.provideMerge(Layer.mergeAll(memory, MemoryCredentialVault.layer, FakeConnect.layer))
)

export const asked = (change: Partial<NewConnectSession> = {}): NewConnectSession => ({
  network: "instagram",
  externalUserId: Option.none(),
  returnUrl: Option.none(),
  features: [],
  socialAccountId: Option.none(),
  ...change
})

export const workspaceOf = (workspaceId: WorkspaceId) => new WorkspaceScope({ workspaceId })

export const create = (workspaceId: WorkspaceId, change: Partial<NewConnectSession> = {}) =>
  ConnectSessions.use((sessions) => sessions.create(workspaceOf(workspaceId), asked(change)))

/** A browser that was sent to the network. */
export interface Visit {
  readonly state: string
  readonly cookie: Option.Option<Redacted.Redacted<string>>
  readonly to: string
}

export const visitOf = ({ cookie, to }: Redirect): Visit => {
  const address = Redacted.value(to)
  return { to: address, state: new URL(address).searchParams.get("state") ?? "", cookie: Option.some(cookie) }
}

/** Opens a link; it must lead to the network. */
export const open = Effect.fnUntraced(function* (
  linkToken: Redacted.Redacted<string>,
  cookies: ReadonlyArray<Redacted.Redacted<string>> = []
) {
  const sessions = yield* ConnectSessions
  const callbackUrl = (network: string) => `https://here.example/connect/callback/${network}`
  const begun = yield* sessions.begin(linkToken, callbackUrl, cookies)
  return begun._tag === "Redirect" ? visitOf(begun) : yield* Effect.die(new Error("the session is over"))
})

/** The browser comes back. */
export const back = (
  { cookie, state }: Pick<Visit, "cookie" | "state">,
  query: Readonly<Record<string, string>> = { code: "code" },
  network = "instagram"
) => ConnectSessions.use((sessions) => sessions.callback(network, { state, ...query }, Option.toArray(cookie)))

/** The session at the end of a way. */
export const ended = <E, R>(way: Effect.Effect<Choosing | Ended | NothingChosen | Waiting, E, R>) =>
  Effect.flatMap(way, (outcome) =>
    outcome._tag === "Ended" ? Effect.succeed(outcome) : Effect.die(new Error(`not over but ${outcome._tag}`))
  )

export const tagOf = <E extends { readonly _tag: string }, R>(effect: Effect.Effect<unknown, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

export const isStateInvalid = Effect.fnUntraced(function* <E extends { readonly _tag: string }, R>(
  effect: Effect.Effect<unknown, E, R>
) {
  assert.strictEqual(yield* tagOf(effect), "StateInvalid")
})
