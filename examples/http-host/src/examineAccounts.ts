import { WorkspaceScope } from "@loopbox/core/access/InboxScope"
import { viewAccount } from "@loopbox/core/health/announceHealth"
import { AccountHealthStore } from "@loopbox/core/health/AccountHealthStore"
import { explainProblem } from "@loopbox/core/health/explainProblem"
import type { Page, PageKey } from "@loopbox/core/kernel/Page"
import { Networks } from "@loopbox/core/networks/Networks"
import { Workspaces } from "@loopbox/core/workspaces/Workspaces"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { type NetworkFinding, unchecked, unwell, well } from "./NetworkFinding.ts"

const pageSize = 100

/** Problems beyond these are counted only: an outage of a network may be one of every account. */
const mostShown = 50

/** Everything that a list has, page by page. */
const whole = <A, E>(list: (after: Option.Option<PageKey>) => Effect.Effect<Page<A>, E>) =>
  Stream.paginate(Option.none<PageKey>(), (after) =>
    Effect.map(list(after), ({ items, next }) => [items, Option.map(next, Option.some)] as const)
  )

/**
 * How well the connected accounts of all workspaces are: a finding for each problem, with its remedy. It is judged by
 * what is stored; no network is asked.
 */
export const examineAccounts = Effect.gen(function* () {
  const workspaces = yield* Workspaces
  const store = yield* AccountHealthStore
  const networks = yield* Networks
  const now = yield* DateTime.now
  const filter = { networks: new Set<string>(), statuses: new Set(["connected", "reauth_required"] as const) }

  const accountsOf = (workspaceId: WorkspaceId) =>
    whole((after) =>
      store.list(new WorkspaceScope({ workspaceId }), { ...filter, disconnectedSince: now }, { limit: pageSize, after })
    )

  let count = 0
  const problems: Array<NetworkFinding> = []
  yield* whole((after) => workspaces.list({ limit: pageSize, after })).pipe(
    Stream.flatMap(({ id }) => accountsOf(id)),
    Stream.runForEach((known) =>
      Effect.sync(() => {
        const { health, id, name, network } = viewAccount(networks, known, now)
        count++
        for (const problem of health.problems) {
          const { message, remedy } = explainProblem(problem, network)
          problems.push(unwell(`${network} account`, `${name} (${id}), ${problem.code}: ${message} ${remedy}`))
        }
      })
    )
  )
  const more = problems.length - mostShown
  return [
    ...problems.slice(0, mostShown),
    ...(more > 0 ? [unwell("accounts", `${more} more problems; GET /v1/accounts lists them.`)] : []),
    ...(problems.length === 0
      ? [count === 0 ? unchecked("accounts", "none is connected.") : well("accounts", `all ${count} are well.`)]
      : [])
  ]
})
