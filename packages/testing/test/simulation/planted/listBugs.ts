import { DateTime, Effect, Option } from "effect"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { InboxStore } from "@loopbox/core/inbox/InboxStore"
import { ThreadStore } from "@loopbox/core/threads/ThreadStore"
import { type InboxPorts, type PlantedBug, wrong } from "./PlantedBug.ts"

/** What lists leave out or show too much, and whom an event does not reach. */
export const listBugs: ReadonlyArray<PlantedBug<InboxPorts>> = [
  {
    name: "an event feeds only the first workspace that has connected its account",
    breaks: /one page in two workspaces|gone with what another workspace has erased/,
    plant: wrong(SocialAccounts, (right) =>
      SocialAccounts.of({
        ...right,
        findRoutes: (names) =>
          Effect.map(right.findRoutes(names), (routes) =>
            routes.filter((route, n) => routes.findIndex(({ name }) => name.value === route.name.value) === n)
          )
      })
    )
  },
  {
    name: "a user name in other letters than its account has leads nowhere",
    breaks: /items and what was delivered|one page in two workspaces/,
    plant: wrong(SocialAccounts, (right, { inbox: { accounts } }) =>
      SocialAccounts.of({
        ...right,
        findRoutes: (names) =>
          Effect.map(right.findRoutes(names), (routes) =>
            routes.filter(
              ({ accountId, name: { by, value } }) =>
                by === "id" ||
                Option.contains(accounts.get(accountId)?.account.username ?? Option.none<string>(), value)
            )
          )
      })
    )
  },
  {
    name: "an event feeds whatever account has the id that it names, at each network",
    breaks: /items of one with its id at another network/,
    plant: wrong(SocialAccounts, (right) =>
      SocialAccounts.of({
        ...right,
        findRoutes: (names) =>
          Effect.map(
            right.findRoutes(names.flatMap((name) => [name, { ...name, network: "threads" as const }])),
            (routes) =>
              routes.flatMap((route) =>
                names.flatMap((name) =>
                  name.by === route.name.by && name.value === route.name.value ? [{ ...route, name }] : []
                )
              )
          )
      })
    )
  },
  {
    name: "a list of what is nobody's shows what is somebody's, too",
    breaks: /items with a filter of assigned_to/,
    plant: wrong(InboxStore, (right) =>
      InboxStore.of({
        ...right,
        list: (scope, query) => {
          const isNobody = Option.exists(query.assignedTo, Option.isNone)
          return right.list(scope, isNobody ? { ...query, assignedTo: Option.none() } : query)
        }
      })
    )
  },
  {
    name: "a list of items up to a moment has those of that moment",
    breaks: /items with a filter of received_before/,
    plant: wrong(InboxStore, (right) =>
      InboxStore.of({
        ...right,
        list: (scope, query) =>
          right.list(scope, {
            ...query,
            receivedBefore: Option.map(query.receivedBefore, (at) => DateTime.add(at, { milliseconds: 1 }))
          })
      })
    )
  },
  {
    name: "threads with a label are found by how it is written",
    breaks: /threads with a filter of label/,
    plant: wrong(ThreadStore, (right) =>
      ThreadStore.of({
        ...right,
        list: (scope, query) =>
          Effect.map(right.list(scope, query), (page) => ({
            ...page,
            threads: page.threads.filter(({ labels }) =>
              Option.match(query.label, { onNone: () => true, onSome: (label) => labels.includes(label) })
            )
          }))
      })
    )
  }
]
