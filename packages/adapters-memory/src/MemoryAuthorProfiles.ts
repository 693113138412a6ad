import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { AuthorProfiles, type ProfileClaim } from "@loopbox/core/inbox/AuthorProfiles"
import { decideName, type KnownPerson } from "@loopbox/core/items/decideName"
import type { InboxEvent } from "@loopbox/core/items/InboxEvent"
import { keyOf, type LiveItem } from "@loopbox/core/items/StoredItem"
import { LeaseLost } from "@loopbox/core/kernel/lease/LeaseLost"
import { type AccountEntry, type MemoryInbox, shown, writeEvents } from "./memoryInbox.ts"
import { MemoryState } from "./MemoryState.ts"

/** The author's live items. */
const itemsOf = (entry: AccountEntry, personId: string): ReadonlyArray<LiveItem> =>
  Array.from(entry.items.values()).flatMap((item) =>
    item._tag === "LiveItem" && Option.contains(item.authorId, personId) ? [item] : []
  )

/** Adds the name to the author's items without one. */
const fill = (
  inbox: MemoryInbox,
  entry: AccountEntry,
  personId: string,
  person: KnownPerson,
  at: DateTime.Utc
): ReadonlyArray<InboxEvent> => {
  const { events, items } = decideName(
    personId,
    person,
    itemsOf(entry, personId).map((item) => shown(inbox, entry, item, at))
  )
  for (const { authorAvatarUrl, authorName, ...key } of items) {
    const live = entry.items.get(keyOf(key))
    if (live?._tag === "LiveItem") entry.items.set(keyOf(key), { ...live, authorName, authorAvatarUrl })
  }
  return events
}

const held = (inbox: MemoryInbox, { accountId, personId, token }: ProfileClaim) =>
  Effect.suspend(() => {
    const entry = inbox.accounts.get(accountId)
    const found = entry?.people.get(personId)
    if (entry === undefined || found?.token !== token) {
      return Effect.fail(new LeaseLost({ what: "profile", id: personId }))
    }
    return Effect.succeed({ entry, found })
  })

export const layer: Layer.Layer<AuthorProfiles, never, MemoryState> = Layer.effect(
  AuthorProfiles,
  Effect.map(MemoryState, ({ inbox }) =>
    AuthorProfiles.of({
      claim: ({ leaseNow, leaseUntil, limit, token }) =>
        Effect.sync(() => {
          const claims: Array<ProfileClaim> = []
          for (const { account, people } of inbox.accounts.values()) {
            if (account.status !== "connected") continue
            for (const [personId, found] of people) {
              if (claims.length >= limit) return claims
              if (found.person !== undefined || DateTime.isGreaterThan(found.claimableAt, leaseNow)) continue
              people.set(personId, { ...found, claimableAt: leaseUntil, token })
              const { attempts, source } = found
              claims.push({
                workspaceId: account.workspaceId,
                accountId: account.id,
                personId,
                source,
                attempts,
                token
              })
            }
          }
          return claims
        }),
      renew: (claim, claimableAt) =>
        Effect.map(held(inbox, claim), ({ entry, found }) => {
          entry.people.set(claim.personId, { ...found, claimableAt })
        }),
      release: (claim, claimableAt) =>
        Effect.map(held(inbox, claim), ({ entry, found }) => {
          entry.people.set(claim.personId, { ...found, claimableAt, token: undefined })
        }),
      settle: (claim, outcome, at) =>
        Effect.map(held(inbox, claim), ({ entry, found }) => {
          const { personId } = claim
          const attempts = found.attempts + 1
          if (outcome._tag === "Later") {
            entry.people.set(personId, { ...found, attempts, claimableAt: outcome.at, token: undefined })
            return 0
          }
          entry.people.set(personId, { ...found, attempts, person: outcome.person, token: undefined })
          const events = fill(inbox, entry, personId, outcome.person, at)
          writeEvents(inbox, claim.workspaceId, events, at)
          return events.length
        })
    })
  )
)
