import type { EntitledCaller } from "@loopbox/core/access/EntitledCaller"
import { type Credential, InboxAccess, type InboxRefused, type InboxRequest } from "@loopbox/core/access/InboxAccess"
import type { InboxScope } from "@loopbox/core/access/InboxScope"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { supervised, supervisedStream } from "@loopbox/core/kernel/lease/supervised"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as MutableHashMap from "effect/MutableHashMap"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import { HttpSettings } from "../system/HttpSettings.ts"
import type { Closing } from "./Closing.ts"
import type { OpenSocket } from "./OpenSockets.ts"

/** How a socket ends whose request would now be refused. */
const closingOf = (refused: InboxRefused): Option.Option<Closing> => {
  switch (refused._tag) {
    case "Unauthorized":
      return Option.some({ code: 4401, reason: "the credential no longer counts" })
    case "PlanFeatureNotAvailable":
      return Option.some({ code: 4402, reason: "the plan has no inbox" })
    case "ManagedUserNotFound":
      return Option.some({ code: 4404, reason: "the managed user is gone" })
    case "ScopeLookupFailed":
      // It passes; the next look will tell.
      return Option.none()
    default:
      return Option.some({ code: 4403, reason: "the role no longer suffices" })
  }
}

type Sources = EntitledCaller["sources"]

const isSame = (a: Sources, b: Sources) => a.size === b.size && [...a].every((source) => b.has(source))

/** What is judged once for all sockets that have it in common. */
class Standing extends Data.Class<{ readonly credential: Option.Option<Credential>; readonly scope: InboxScope }> {}

/** What was judged when a socket was opened, and how many changes had been heard of before. */
export interface Handshake {
  readonly request: InboxRequest
  readonly caller: EntitledCaller
  readonly heard: number
}

/** A standing with its sockets. What they share is kept once: it is the first one's, and no other's request is kept. */
interface Case {
  readonly standing: Standing
  readonly request: InboxRequest
  /** With the sources that each was opened for. */
  readonly sockets: Map<OpenSocket, Sources>
  /** In monotonic nanoseconds. */
  judgedAt: bigint
}

/** Workspaces whose cases are judged at once. */
const workspacesAtOnce = 4

/** Cases of a workspace that are judged together: what they are judged by is read in one statement of each kind. */
const casesAtOnce = 500

/**
 * Judges again what open sockets stand on: as soon as something is said to have changed, and every `judgeEvery` in any
 * case. A credential and a scope are judged once, however many sockets they have, and those of a workspace together, so
 * that thousands of sockets cost a handful of statements.
 */
export class SocketJudge extends Context.Service<
  SocketJudge,
  {
    /** How many changes it has heard of: to be read before a handshake is judged. */
    readonly heard: Effect.Effect<number>
    /**
     * Has a socket judged as at its handshake until the scope closes, and ends it when it would be refused. What has
     * been heard of since `heard` may have come too late for the handshake.
     */
    readonly watch: (handshake: Handshake, socket: OpenSocket) => Effect.Effect<void, never, Scope.Scope>
    /** A session of the console has ended here: has the sockets of all of them judged now. */
    readonly judgeConsoles: Effect.Effect<void>
  }
>()("@loopbox/adapters-http/server/sockets/SocketJudge") {
  static readonly layer: Layer.Layer<SocketJudge, never, HttpSettings | InboxAccess> = Layer.effect(
    SocketJudge,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const access = yield* InboxAccess
  const { judgeEvery } = (yield* HttpSettings).sockets
  const every = Duration.toNanosUnsafe(judgeEvery)
  const cases = MutableHashMap.empty<Standing, Case>()
  /** Cases that wait, by workspace: it stands in `due` once as long as it has some. */
  const waiting = new Map<WorkspaceId, Set<Case>>()
  const due = yield* Queue.unbounded<WorkspaceId>()
  /** Open while there are sockets. */
  const hasCases = yield* Latch.make()
  let heard = 0

  const summon = ({ scope: { workspaceId } }: Standing, one: Case) => {
    const others = waiting.get(workspaceId)
    if (others !== undefined) return others.add(one)
    waiting.set(workspaceId, new Set([one]))
    return Queue.offerUnsafe(due, workspaceId)
  }

  const judge = Effect.fnUntraced(function* (one: Case) {
    const now = yield* Clock.monotonicTimeNanos
    const verdict = yield* Effect.result(access.enterInboxTogether(one.request))
    // A look that failed for a passing reason is taken again at the next round.
    const isKnown = Result.isSuccess(verdict) || verdict.failure._tag !== "ScopeLookupFailed"
    one.judgedAt = isKnown ? now : now - every
    for (const [socket, sources] of Array.from(one.sockets)) {
      const closing = Result.match(verdict, {
        onFailure: closingOf,
        onSuccess: (entitled): Option.Option<Closing> =>
          isSame(sources, entitled.sources)
            ? Option.none()
            : Option.some({ code: 4402, reason: "the plan has changed" })
      })
      if (Option.isSome(closing)) yield* socket.close(closing.value)
    }
  })
  /** One that meets a defect waits for its next regular turn, and must not make the others wait for it. */
  const judgeSafely = Effect.fnUntraced(function* (one: Case) {
    const now = yield* Clock.monotonicTimeNanos
    yield* Effect.catchDefect(judge(one), (defect) => {
      one.judgedAt = now
      return Effect.logError("an open socket could not be judged", defect)
    })
  })
  const judgeNext = Effect.gen(function* () {
    const workspaceId = yield* Queue.take(due)
    const all = Array.from(waiting.get(workspaceId) ?? [])
    const next = all.slice(0, casesAtOnce)
    // Before the look, so that a change during it has them judged once more.
    if (all.length > next.length) {
      waiting.set(workspaceId, new Set(all.slice(casesAtOnce)))
      Queue.offerUnsafe(due, workspaceId)
    } else waiting.delete(workspaceId)
    yield* Effect.forEach(next, judgeSafely, { concurrency: "unbounded", discard: true })
  })
  yield* Effect.replicateEffect(supervised("sockets.judge", judgeNext), workspacesAtOnce)

  const summonWhere = (isMeant: (standing: Standing, one: Case) => boolean) =>
    MutableHashMap.forEach(cases, (one, standing) => {
      if (isMeant(standing, one)) summon(standing, one)
    })
  /** Those that have waited for half of it come with the first of their workspace, and from then on together. */
  const summonDue = (now: bigint) => {
    const workspaces = new Set<WorkspaceId>()
    MutableHashMap.forEach(cases, ({ judgedAt }, { scope }) => {
      if (now - judgedAt >= every) workspaces.add(scope.workspaceId)
    })
    summonWhere(({ scope }, { judgedAt }) => workspaces.has(scope.workspaceId) && now - judgedAt >= every / 2n)
  }
  yield* supervised(
    "sockets.judgeDue",
    Effect.andThen(hasCases.await, Effect.map(Clock.monotonicTimeNanos, summonDue)),
    { every: Duration.min(judgeEvery, Duration.seconds(2)) }
  )
  yield* supervisedStream("sockets.changes", access.changes, (workspaceId) =>
    Effect.sync(() => {
      heard += 1
      summonWhere(({ scope }) => Option.isNone(workspaceId) || workspaceId.value === scope.workspaceId)
    })
  )

  const join = ({ caller, request }: Handshake, socket: OpenSocket, judgedAt: bigint) => {
    const standing = new Standing({ credential: request.credential, scope: caller.scope })
    const known = Option.getOrUndefined(MutableHashMap.get(cases, standing))
    const one: Case = known ?? { standing, request, sockets: new Map(), judgedAt }
    if (known === undefined) MutableHashMap.set(cases, standing, one)
    one.sockets.set(socket, caller.sources)
    hasCases.openUnsafe()
    return one
  }

  /** Keeps nothing else of the handshake. */
  const leaving = ({ sockets, standing }: Case, socket: OpenSocket) =>
    Effect.sync(() => {
      sockets.delete(socket)
      if (sockets.size === 0) MutableHashMap.remove(cases, standing)
      if (MutableHashMap.size(cases) === 0) hasCases.closeUnsafe()
    })

  return SocketJudge.of({
    judgeConsoles: Effect.sync(() =>
      summonWhere(({ credential }) => Option.exists(credential, ({ isOfConsole }) => isOfConsole === true))
    ),
    heard: Effect.sync(() => heard),
    watch: Effect.fnUntraced(function* (handshake: Handshake, socket: OpenSocket) {
      const one = join(handshake, socket, yield* Clock.monotonicTimeNanos)
      yield* Scope.addFinalizer(yield* Effect.scope, leaving(one, socket))
      if (heard !== handshake.heard) summon(one.standing, one)
    })
  })
})
