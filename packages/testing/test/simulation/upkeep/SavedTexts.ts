import { assert } from "@effect/vitest"
import { Clock, Effect, Option } from "effect"
import type { EntitledCaller } from "@loopbox/core/access/EntitledCaller"
import { SavedReplies } from "@loopbox/core/savedReplies/SavedReplies"
import type { Chance } from "../Chance.ts"
import { walkPages } from "../walkPages.ts"

/** A text as its scope was told that it is kept. */
interface Known {
  readonly owner: string | undefined
  readonly content: string
  readonly updatedAt_ms: number
}

const ownerOf = ({ scope }: EntitledCaller) => (scope._tag === "WorkspaceScope" ? undefined : scope.externalUserId)

/**
 * People of a workspace and of its users keep texts to answer with, change them and take them away.
 *
 * @param strangers callers of another workspace, whose users have the same names
 */
export const makeSavedTexts = Effect.fnUntraced(function* (
  chance: Chance,
  callers: ReadonlyMap<string | undefined, EntitledCaller>,
  strangers: ReadonlyArray<EntitledCaller>
) {
  const replies = yield* SavedReplies
  const known = new Map<string, Known>()
  let written = 0
  const mayReach = (caller: EntitledCaller, { owner }: Known) =>
    ownerOf(caller) === undefined || ownerOf(caller) === owner
  const theirs = yield* Effect.forEach(strangers, (stranger) =>
    replies.create(stranger, { name: "of a stranger", text: "theirs" })
  )
  /** A stranger finds, changes and takes away nothing of it. */
  const checkStrangers = Effect.gen(function* () {
    for (const [n, stranger] of strangers.entries()) {
      const wanted = n === 0 ? theirs : theirs.slice(n, n + 1)
      const listed = (yield* replies.list(stranger, { limit: 50, after: Option.none() })).items
      assert.sameDeepMembers([...listed], [...wanted], "saved replies of another workspace")
      for (const [id] of Array.from(known).slice(-2)) {
        const tried = [
          replies.find(stranger, id),
          replies.update(stranger, id, { text: "taken" }),
          replies.remove(stranger, id)
        ]
        for (const call of tried)
          assert.isTrue(Option.isNone(yield* Effect.option(call)), `a stranger has reached ${id}`)
      }
    }
  })
  const step = Effect.gen(function* () {
    const caller = chance.pick(Array.from(callers.values()))
    if (caller === undefined) return
    const content = { name: `name ${chance.below(3)}`, text: `text ${++written - chance.below(2)}` }
    const chosen = chance.pick(Array.from(known))
    if (chosen === undefined || chance.isOneIn(3)) {
      const { id, updatedAt } = yield* replies.create(caller, content)
      const owner = ownerOf(caller)
      known.set(id, { owner, content: `${content.name}: ${content.text}`, updatedAt_ms: updatedAt.epochMilliseconds })
      return
    }
    const [id, before] = chosen
    const isReached = mayReach(caller, before)
    if (chance.isOneIn(3)) {
      const removed = yield* Effect.exit(replies.remove(caller, id))
      assert.strictEqual(removed._tag === "Success", isReached, `who may take ${id} away`)
      if (isReached) known.delete(id)
      return
    }
    const updated = yield* Effect.option(replies.update(caller, id, content))
    assert.strictEqual(Option.isSome(updated), isReached, `who may change ${id}`)
    if (Option.isNone(updated)) return
    const after = `${content.name}: ${content.text}`
    // Who says what it says already has changed nothing.
    const updatedAt_ms = after === before.content ? before.updatedAt_ms : yield* Clock.currentTimeMillis
    known.set(id, { ...before, content: after, updatedAt_ms })
  })
  /** Each scope has what was kept in it, and the workspace has all. */
  const check = Effect.gen(function* () {
    yield* checkStrangers
    for (const caller of callers.values()) {
      const listed = yield* walkPages((page) => replies.list(caller, page), 2)
      const wanted = Array.from(known).filter(([, one]) => mayReach(caller, one))
      assert.deepStrictEqual(
        listed.map(({ id, name, text, updatedAt }) => `${id} ${name}: ${text} ${updatedAt.epochMilliseconds}`).sort(),
        wanted.map(([id, { content, updatedAt_ms }]) => `${id} ${content} ${updatedAt_ms}`).sort(),
        "saved replies of a scope"
      )
    }
  })
  const forget = (user: string) => {
    for (const [id, { owner }] of known) if (owner === user) known.delete(id)
  }
  /** Those of a user, by their ids. */
  const idsOf = (user: string) => Array.from(known).flatMap(([id, { owner }]) => (owner === user ? [id] : []))
  return { step, check, forget, idsOf }
})
