import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Request from "effect/Request"
import * as RequestResolver from "effect/RequestResolver"
import * as Semaphore from "effect/Semaphore"
import type { WorkspaceId } from "../kernel/Ids.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import { type ManagedUser, ManagedUsers } from "../workspaces/ManagedUsers.ts"
import { Members, type Membership } from "../workspaces/Members.ts"
import type { Workspace } from "../workspaces/Workspace.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import { Access } from "./Access.ts"
import type { IdentityUnavailable, Unauthorized } from "./AccessErrors.ts"
import type { KeyCaller } from "./Caller.ts"
import { ConsoleIdentity } from "./ConsoleSessions.ts"
import { DashboardIdentity, type Identity } from "./DashboardIdentity.ts"

type Token = Redacted.Redacted<string>
type Read<A> = Effect.Effect<A, StoreUnavailable>

/** What is read to judge who asks for an inbox, and for which. */
export interface AccessLookups {
  /** Whom a dashboard token is of, as the customer's identity provider says. */
  readonly verify: (token: Token) => Effect.Effect<Identity, Unauthorized | IdentityUnavailable>
  readonly authenticate: (token: Token) => Effect.Effect<KeyCaller, Unauthorized | StoreUnavailable>
  readonly isConsole: (token: Token) => Read<boolean>
  readonly findWorkspace: (id: WorkspaceId) => Read<Option.Option<Workspace>>
  readonly findMembership: (workspaceId: WorkspaceId, userId: string) => Read<Option.Option<Membership>>
  readonly findManagedUser: (workspaceId: WorkspaceId, externalUserId: string) => Read<Option.Option<ManagedUser>>
}

/** Each as it is asked: for requests, which wait for the answer. */
export const lookupsAlone: Effect.Effect<AccessLookups, never, Access | ManagedUsers | Members | Workspaces> =
  Effect.gen(function* () {
    const { authenticate } = yield* Access
    const members = yield* Members
    const users = yield* ManagedUsers
    const workspaces = yield* Workspaces
    const console = yield* ConsoleIdentity
    const { verify } = yield* DashboardIdentity
    return {
      verify,
      authenticate,
      isConsole: console.stands,
      findWorkspace: workspaces.find,
      findMembership: members.findMembership,
      findManagedUser: users.find
    }
  })

class KeyAsked extends Request.TaggedClass("KeyAsked")<{ token: Token }, KeyCaller, Unauthorized | StoreUnavailable> {}
class ConsoleAsked extends Request.TaggedClass("ConsoleAsked")<{ token: Token }, boolean, StoreUnavailable> {}
class WorkspaceAsked extends Request.TaggedClass("WorkspaceAsked")<
  { id: WorkspaceId },
  Option.Option<Workspace>,
  StoreUnavailable
> {}
class MembershipAsked extends Request.TaggedClass("MembershipAsked")<
  { workspaceId: WorkspaceId; id: string },
  Option.Option<Membership>,
  StoreUnavailable
> {}
class ManagedUserAsked extends Request.TaggedClass("ManagedUserAsked")<
  { workspaceId: WorkspaceId; id: string },
  Option.Option<ManagedUser>,
  StoreUnavailable
> {}

/** Waited for others: signatures of tokens are checked in other threads, each ready when it is ready. */
const collects = "5 millis"

/** Asked of a store in one call at most. */
const atOnce = 500

/** Tokens that are checked at once: a customer's own way to do that may be a request to a service of theirs. */
const verifiedAtOnce = 16

/** What a resolver was asked, with the way to answer it. */
interface Asked<Answer> {
  readonly completeUnsafe: (exit: Answer) => void
}

/** All ask for the same: it is read once. */
const answerAll = <A, E>(read: Effect.Effect<A, E>, asked: ReadonlyArray<Asked<Exit.Exit<A, E>>>) =>
  Effect.map(Effect.exit(read), (exit) => asked.forEach((one) => one.completeUnsafe(exit)))

interface AskedFor<A> extends Asked<Exit.Exit<Option.Option<A>, StoreUnavailable>> {
  readonly request: { readonly id: string }
}

/** Each asks for one of a workspace's: they are read in one call, each once. A failure of it is that of all. */
const answerEach = <A>(
  read: (ids: ReadonlyArray<string>) => Read<ReadonlyMap<string, A>>,
  asked: ReadonlyArray<AskedFor<A>>
) =>
  Effect.map(read(Array.from(new Set(asked.map(({ request }) => request.id)))), (found) =>
    asked.forEach((one) => one.completeUnsafe(Exit.succeed(Option.fromUndefinedOr(found.get(one.request.id)))))
  )

const together = <A extends Request.Any>(resolver: RequestResolver.RequestResolver<A>) =>
  resolver.pipe(RequestResolver.setDelay(collects), RequestResolver.batchN(atOnce))

/**
 * What is asked within a few milliseconds is read together, and nothing is kept: for what is open and is judged again and
 * again, which may wait a moment.
 */
export const lookupsTogether: typeof lookupsAlone = Effect.gen(function* () {
  const alone = yield* lookupsAlone
  const members = yield* Members
  const users = yield* ManagedUsers
  const checking = yield* Semaphore.make(verifiedAtOnce)
  const keys = together(
    RequestResolver.makeGrouped<KeyAsked, string>({
      key: ({ request }) => Redacted.value(request.token),
      resolver: (asked) => answerAll(alone.authenticate(asked[0].request.token), asked)
    })
  )
  const consoles = together(
    RequestResolver.makeGrouped<ConsoleAsked, string>({
      key: ({ request }) => Redacted.value(request.token),
      resolver: (asked) => answerAll(alone.isConsole(asked[0].request.token), asked)
    })
  )
  const workspaces = together(
    RequestResolver.makeGrouped<WorkspaceAsked, WorkspaceId>({
      key: ({ request }) => request.id,
      resolver: (asked, id) => answerAll(alone.findWorkspace(id), asked)
    })
  )
  const memberships = together(
    RequestResolver.makeGrouped<MembershipAsked, WorkspaceId>({
      key: ({ request }) => request.workspaceId,
      resolver: (asked, workspaceId) => answerEach((ids) => members.findMemberships(workspaceId, ids), asked)
    })
  )
  const managedUsers = together(
    RequestResolver.makeGrouped<ManagedUserAsked, WorkspaceId>({
      key: ({ request }) => request.workspaceId,
      resolver: (asked, workspaceId) => answerEach((ids) => users.findSeveral(workspaceId, ids), asked)
    })
  )
  return {
    verify: (token) => checking.withPermits(1)(alone.verify(token)),
    authenticate: (token) => Effect.request(new KeyAsked({ token }), keys),
    isConsole: (token) => Effect.request(new ConsoleAsked({ token }), consoles),
    findWorkspace: (id) => Effect.request(new WorkspaceAsked({ id }), workspaces),
    findMembership: (workspaceId, id) => Effect.request(new MembershipAsked({ workspaceId, id }), memberships),
    findManagedUser: (workspaceId, id) => Effect.request(new ManagedUserAsked({ workspaceId, id }), managedUsers)
  }
})
