import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { AuthorProfiles, type ProfileClaim } from "../inbox/AuthorProfiles.ts"
import type { KnownPerson } from "../inbox/decideIngest.ts"
import type { InboxEvent } from "../inbox/InboxEvent.ts"
import { keyOf } from "../inbox/StoredItem.ts"
import { type AccountEntry, type MemoryInbox, shown, writeEvents } from "./memoryInbox.ts"
import { MemoryState } from "./MemoryState.ts"

/** Fills the author's items that have no name. */
const fill = (entry: AccountEntry, personId: string, person: KnownPerson): ReadonlyArray<InboxEvent> => {
  const events: Array<InboxEvent> = []
  for (const item of Array.from(entry.items.values())) {
    if (item._tag !== "LiveItem" || item.isOwn || !Option.contains(item.authorId, personId)) continue
    if (Option.isSome(item.authorName)) continue
    const named = {
      ...item,
      authorName: person.name,
      authorAvatarUrl: Option.orElse(item.authorAvatarUrl, () => person.avatarUrl)
    }
    entry.items.set(keyOf(named), named)
    events.push({
      _tag: "ItemUpdated",
      accountId: item.accountId,
      source: item.source,
      item: shown(entry, named)
    })
  }
  return events
}

const held = (inbox: MemoryInbox, { accountId, personId, token }: ProfileClaim) => {
  const entry = inbox.accounts.get(accountId)
  const found = entry?.people.get(personId)
  return entry !== undefined && found?.token === token ? { entry, found } : undefined
}

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
      settle: (claim, outcome, at) =>
        Effect.sync(() => {
          const holding = held(inbox, claim)
          if (holding === undefined) return Option.none()
          const { entry, found } = holding
          const { personId } = claim
          const attempts = found.attempts + 1
          if (outcome._tag === "Later") {
            entry.people.set(personId, { ...found, attempts, claimableAt: outcome.at, token: undefined })
            return Option.some(0)
          }
          entry.people.set(personId, { ...found, attempts, person: outcome.person, token: undefined })
          const events = Option.isSome(outcome.person.name) ? fill(entry, personId, outcome.person) : []
          writeEvents(inbox, claim.workspaceId, events, at)
          return Option.some(events.length)
        })
    })
  )
)
