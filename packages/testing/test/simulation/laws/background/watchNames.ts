import { DateTime, Effect, Layer, Option } from "effect"
import type { MemoryInbox } from "@loopbox/adapters-memory/memoryInbox"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import { AuthorProfiles, type ProfileClaim, type ProfileOutcome } from "@loopbox/core/inbox/AuthorProfiles"
import { IngestStore } from "@loopbox/core/inbox/IngestStore"
import type { LiveItem, StoredItem } from "@loopbox/core/items/StoredItem"
import { LeaseLaw } from "../LeaseLaw.ts"
import { StateLaw } from "../watchStates.ts"
import { differing, type Judged, judged } from "./judged.ts"

/** So often a name is asked for at most, as workers are begun with here. */
const mostAttempts = 8

/** Seconds between two attempts, by how many there were: 2, 4, 8 … at most ten minutes. */
const pause_s = (attempts: number) => Math.min(2 ** (attempts + 1), 600)

const nameOf = ({ accountId, personId }: Pick<ProfileClaim, "accountId" | "personId">) =>
  `the look-up of ${personId} for ${accountId}`

const isNameless = ({ authorId, authorName, isOwn }: LiveItem) =>
  !isOwn && Option.isSome(authorId) && Option.isNone(authorName)

/** What must be of an author's item when their name is found; others, and what has a name, stay. */
const withFound = (item: StoredItem, { person }: Extract<ProfileOutcome, { readonly _tag: "Known" }>, id: string) => {
  const isTheirs = item._tag === "LiveItem" && isNameless(item) && Option.contains(item.authorId, id)
  if (!isTheirs || Option.isNone(person.name)) return undefined
  return {
    ...item,
    authorName: person.name,
    authorAvatarUrl: Option.isSome(item.authorAvatarUrl) ? item.authorAvatarUrl : person.avatarUrl
  }
}

const judgeFound = (
  { accounts, logs }: MemoryInbox,
  claim: ProfileClaim,
  outcome: ProfileOutcome,
  { items, last }: { readonly items: ReadonlyMap<string, StoredItem>; readonly last: number },
  count: number
): ReadonlyArray<string> => {
  const name = nameOf(claim)
  const entry = accounts.get(claim.accountId)
  if (entry === undefined) return []
  const wrong: Array<string> = []
  const named: Array<string> = []
  for (const [key, was] of items) {
    const wanted = outcome._tag === "Known" ? withFound(was, outcome, claim.personId) : undefined
    if (wanted !== undefined) named.push(wanted.externalId)
    wrong.push(
      ...differing(`${name}: ${key}`, {
        [wanted === undefined ? "is changed by it" : "has no name"]: [entry.items.get(key), wanted ?? was]
      })
    )
  }
  const told = (logs.get(claim.workspaceId)?.events ?? []).flatMap(({ event, seq }) =>
    seq > last && event._tag === "ItemUpdated" && event.accountId === claim.accountId ? [event.item] : []
  )
  const isRight = outcome._tag === "Known" && told.every(({ authorName }) => Option.isSome(authorName))
  if (told.length > 0 && !isRight) wrong.push(`${name}: something else is told`)
  return [
    ...wrong,
    ...differing(name, {
      "of which items is told": [told.map(({ externalId }) => externalId).sort(), named.sort()],
      "how many items it has named": [count, named.length]
    })
  ]
}

const watchLookUps = (
  right: AuthorProfiles["Service"],
  judge: Judged,
  law: LeaseLaw["Service"],
  inbox: MemoryInbox
) => {
  const personOf = ({ accountId, personId }: ProfileClaim) => inbox.accounts.get(accountId)?.people.get(personId)
  const due = (now: DateTime.Utc) =>
    Array.from(inbox.accounts.values()).flatMap(({ account, people }) =>
      account.status !== "connected"
        ? []
        : Array.from(people).flatMap(([personId, entry]) =>
            entry.person === undefined && DateTime.isLessThanOrEqualTo(entry.claimableAt, now)
              ? [{ name: nameOf({ accountId: account.id, personId }), entry }]
              : []
          )
    )
  return AuthorProfiles.of({
    ...right,
    claim: (request) =>
      judge(
        () => due(request.leaseNow),
        right.claim(request),
        (before, claims) => {
          const wrong: Array<string> = []
          if (claims.length !== Math.min(request.limit, before.length))
            wrong.push(`${before.length} names are to be looked up, and ${claims.length} are`)
          for (const claim of claims) {
            const name = nameOf(claim)
            law.claim(name, request)
            const own = before.find((one) => one.name === name)?.entry
            if (own === undefined) wrong.push(`${name} is begun, and is not due`)
            else
              wrong.push(
                ...differing(name, {
                  "how often it was tried": [claim.attempts, own.attempts],
                  "where it is looked up": [claim.source, own.source],
                  "what its claim has changed": [personOf(claim)?.attempts, own.attempts]
                })
              )
            if (claim.attempts >= mostAttempts) wrong.push(`${name} is begun after ${claim.attempts} attempts`)
          }
          return wrong
        }
      ),
    renew: (claim, until) =>
      Effect.tap(right.renew(claim, until), () => Effect.sync(() => law.take(nameOf(claim), claim.token, until))),
    release: (claim, now) =>
      judge(
        () => personOf(claim)?.attempts,
        right.release(claim, now),
        (attempts) => {
          const [name, after] = [nameOf(claim), personOf(claim)]
          law.take(name, claim.token)
          law.end(name)
          const isFree = after !== undefined && DateTime.isLessThanOrEqualTo(after.claimableAt, now)
          return differing(`${name}, which was given back`, {
            "whether it counts as tried": [after?.attempts, attempts],
            "whether another may have it": [isFree, true]
          })
        }
      ),
    settle: (claim, outcome, at) =>
      judge(
        () => ({
          attempts: personOf(claim)?.attempts ?? 0,
          items: new Map(inbox.accounts.get(claim.accountId)?.items),
          last: inbox.logs.get(claim.workspaceId)?.last ?? 0
        }),
        right.settle(claim, outcome, at),
        (before, count) => {
          const [name, after] = [nameOf(claim), personOf(claim)]
          law.take(name, claim.token)
          law.end(name)
          const attempts = before.attempts + 1
          const wrong = judgeFound(inbox, claim, outcome, before, count)
          const counted = differing(name, { "how many attempts are counted": [after?.attempts, attempts] })
          if (outcome._tag === "Known")
            return [...counted, ...wrong, ...differing(name, { "what is known": [after?.person, outcome.person] })]
          const soonest = DateTime.add(at, { seconds: pause_s(before.attempts) })
          return [
            ...counted,
            ...wrong,
            ...(attempts < mostAttempts ? [] : [`${name} was not given up after ${attempts} attempts`]),
            ...(DateTime.isLessThan(outcome.at, soonest) ? [`${name} is tried again too soon`] : []),
            ...differing(name, {
              "when it is tried again": [after?.claimableAt, outcome.at],
              "what is known": [after?.person, undefined]
            })
          ]
        }
      )
  })
}

/** Who writes without a name is looked up, or has the name that was found before. */
const watchAuthors = (right: IngestStore["Service"], judge: Judged, inbox: MemoryInbox) =>
  IngestStore.of({
    ...right,
    ingest: (unit) =>
      judge(
        () => {
          const entry = inbox.accounts.get(unit.accountId)
          return { people: new Map(entry?.people), items: new Map(entry?.items) }
        },
        right.ingest(unit),
        ({ items, people }, { changed }) => {
          const entry = inbox.accounts.get(unit.accountId)
          const wrong: Array<string> = []
          for (const key of changed) {
            const [was, item] = [items.get(key), entry?.items.get(key)]
            const isNew = was?._tag !== "LiveItem" || Option.isNone(was.authorId)
            if (item?._tag !== "LiveItem" || !isNew || item.isOwn || Option.isNone(item.authorId)) continue
            const before = people.get(item.authorId.value)
            const isNamed = before?.person !== undefined && Option.isSome(before.person.name)
            if (isNameless(item) && isNamed) wrong.push(`${item.externalId} comes without the name that is known`)
            if (isNameless(item) && entry?.people.has(item.authorId.value) !== true)
              wrong.push(`nobody looks up who has written ${item.externalId}`)
          }
          for (const [id, before] of people)
            if (entry?.people.get(id) !== before) wrong.push(`${unit.accountId}: the look-up of ${id} begins anew`)
          return wrong
        }
      )
  })

/** The ports of authors whose names networks do not tell. */
export const watchNames = Layer.mergeAll(
  Layer.effect(
    IngestStore,
    Effect.gen(function* () {
      return watchAuthors(yield* IngestStore, judged((yield* StateLaw).violations), (yield* MemoryState).inbox)
    })
  ),
  Layer.effect(
    AuthorProfiles,
    Effect.gen(function* () {
      const judge = judged((yield* StateLaw).violations)
      return watchLookUps(yield* AuthorProfiles, judge, yield* LeaseLaw, (yield* MemoryState).inbox)
    })
  )
)
