import { assert } from "@effect/vitest"
import { DateTime, Effect, Option, Redacted } from "effect"
import { WorkspaceScope } from "@loopbox/core/access/InboxScope"
import { ConnectSessions, type Ended, type Redirect } from "@loopbox/core/connecting/ConnectSessions"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { candidate, FakeDialogs } from "../../../src/fakes/FakeConnect.ts"
import type { Chance } from "../Chance.ts"

const callbackUrl = (network: string) => `https://here.example/connect/callback/${network}`

/** Half an hour, in which a person may connect. */
const life_ms = 30 * 60_000

interface Visit {
  readonly cookie: Redacted.Redacted<string>
  readonly code: string
  readonly state: string
}

/** A link that was given to a person. */
interface Link {
  readonly id: string
  readonly at_ms: number
  readonly token: Redacted.Redacted<string>
  readonly visits: Array<Visit>
  isCompleted: boolean
}

/** People connect accounts in browsers: they open links twice, reload, come late, or with somebody else's cookie. */
export const makeBrowsers = Effect.fnUntraced(function* (chance: Chance, here: WorkspaceId, there: WorkspaceId) {
  const sessions = yield* ConnectSessions
  const dialogs = yield* FakeDialogs
  const links: Array<Link> = []
  let codes = 0
  dialogs.answer = (exchange) =>
    Effect.delay(Effect.succeed([candidate(`own-${Redacted.value(exchange.code).split("-")[1]}`)]), chance.below(4_000))

  const give = Effect.gen(function* () {
    const scope = new WorkspaceScope({ workspaceId: here })
    const asked = {
      externalUserId: Option.none(),
      returnUrl: Option.none(),
      features: [],
      socialAccountId: Option.none()
    }
    const network = chance.isOneIn(3) ? "facebook" : "instagram"
    const { linkToken: token, session } = yield* sessions.create(scope, { ...asked, network })
    links.push({ id: session.id, at_ms: session.createdAt.epochMilliseconds, token, visits: [], isCompleted: false })
    const stranger = yield* Effect.option(sessions.find(new WorkspaceScope({ workspaceId: there }), session.id))
    assert.isTrue(Option.isNone(stranger), `${session.id} is found in another workspace`)
  })

  const isOver = (link: Link) =>
    Effect.map(DateTime.now, (now) => link.isCompleted || now.epochMilliseconds - link.at_ms >= life_ms)
  const cookiesOf = ({ visits }: Link) => visits.map(({ cookie }) => cookie)

  const open = Effect.fnUntraced(function* (link: Link) {
    const over = yield* isOver(link)
    const begun: Option.Option<Redirect | Ended> = yield* Effect.option(
      sessions.begin(link.token, callbackUrl, chance.isOneIn(2) ? cookiesOf(link) : [])
    )
    const isBegun = Option.exists(begun, ({ _tag }) => _tag === "Redirect")
    assert.isFalse(over && isBegun, `${link.id} begins again, and is over`)
    assert.isFalse(!over && !isBegun, `${link.id} can't be opened, and is not over`)
    if (Option.isNone(begun) || begun.value._tag !== "Redirect") return
    const { cookie, to } = begun.value
    const state = new URL(Redacted.value(to)).searchParams.get("state") ?? ""
    link.visits.push({ cookie, state, code: `code-${++codes}` })
  })

  /** The browser comes back, mostly twice at once; the network's code counts once. */
  const comeBack = Effect.fnUntraced(function* (link: Link, visit: Visit) {
    const query = { state: visit.state, code: visit.code }
    const callback = (network: string, cookies: ReadonlyArray<Redacted.Redacted<string>>) =>
      Effect.option(sessions.callback(network, query, cookies))
    const stolen = yield* callback("instagram", [Redacted.make("of nobody")])
    assert.isTrue(Option.isNone(stolen), `${link.id} goes on in another browser`)
    const network = yield* Effect.map(
      sessions.find(new WorkspaceScope({ workspaceId: here }), link.id),
      ({ session }) => session.network
    )
    const both = yield* Effect.all(
      [1, 2].map(() => callback(network, [visit.cookie])),
      { concurrency: 2 }
    )
    for (const outcome of both.flatMap(Option.toArray)) {
      if (outcome._tag === "Choosing") {
        const key = outcome.choices[0]?.key ?? ""
        const chosen = sessions.choose(Option.some(visit.cookie), outcome.formToken, [key])
        const ended = yield* Effect.option(chosen)
        if (Option.exists(ended, (one) => one._tag === "Ended" && one.session.status === "completed"))
          link.isCompleted = true
      }
      if (outcome._tag === "Ended" && outcome.session.status === "completed") link.isCompleted = true
    }
  })

  const step = Effect.gen(function* () {
    const link = chance.isOneIn(3) ? undefined : chance.pick(links.slice(-4))
    if (link === undefined) return yield* give
    const visit = chance.isOneIn(3) ? undefined : chance.pick(link.visits)
    if (visit === undefined) return yield* open(link)
    yield* Effect.forkScoped(comeBack(link, visit))
  })
  /** What must hold at every moment: a code that the network gave is exchanged once. */
  const check = Effect.gen(function* () {
    const { exchanged } = dialogs
    const again = exchanged.find((code, n) => exchanged.indexOf(code) !== n)
    assert.isUndefined(again, `${again} was exchanged twice`)
    for (const { id, isCompleted } of links) {
      const { session } = yield* sessions.find(new WorkspaceScope({ workspaceId: here }), id)
      if (isCompleted) assert.strictEqual(session.status, "completed", `how ${id} ended`)
    }
  })
  return { step, check }
})
