import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { SocialAccounts } from "../../src/accounts/SocialAccounts.ts"
import { type Choosing, ConnectSessions } from "../../src/connecting/ConnectSessions.ts"
import type { WorkspaceId } from "../../src/kernel/Ids.ts"
import { candidate, FakeDialogs } from "@loopbox/testing/fakes/FakeConnect"
import { makeWorkspace } from "@loopbox/testing/fixtures/mediaFixtures"
import { back, create, isStateInvalid, layerConnecting, open, type Visit } from "./person.ts"

const hindered = candidate("hindered", {
  hindrance: Option.some("page_permission_required"),
  token: Option.none()
})

/** A person came back from Facebook and is to choose. */
const choosing = Effect.fnUntraced(function* (change: Parameters<typeof create>[1] = {}, workspace?: WorkspaceId) {
  const workspaceId = workspace ?? (yield* makeWorkspace("basic")).id
  ;(yield* FakeDialogs).answer = () => Effect.succeed([candidate("one"), candidate("two"), hindered])
  const { linkToken, session } = yield* create(workspaceId, { network: "facebook", ...change })
  const visit = yield* open(linkToken)
  const page = yield* back(visit, { code: "code" }, "facebook")
  if (page._tag !== "Choosing") return yield* Effect.die(new Error("nothing to choose"))
  return { workspaceId, linkToken, id: session.id, visit, page }
})

const choose = ({ cookie }: Visit, { formToken }: Choosing, keys: ReadonlyArray<string>) =>
  ConnectSessions.use((sessions) => sessions.choose(cookie, formToken, keys))

const namesOf = (workspaceId: WorkspaceId) =>
  Effect.map(
    SocialAccounts.use((accounts) => accounts.list(workspaceId, { limit: 10, after: Option.none() })),
    ({ items }) => items.map(({ networkAccountId }) => networkAccountId).toSorted()
  )

const outcomeOf = (answer: Effect.Success<ReturnType<typeof choose>>) =>
  answer._tag === "Ended"
    ? [answer.session.status, Option.getOrNull(Option.map(answer.session.failure, ({ code }) => code))]
    : [answer._tag]

describe("a person chooses among accounts (api-2-decided A8)", () => {
  it.effect("sees each with why it can't be chosen, also after a reload", () =>
    Effect.gen(function* () {
      const { page, visit } = yield* choosing()
      assert.deepStrictEqual(
        page.choices.map(({ hindrance, key }) => [key, Option.getOrNull(hindrance)]),
        [
          ["one", null],
          ["two", null],
          ["hindered", "page_permission_required"]
        ]
      )
      assert.deepStrictEqual(
        [page.single, page.session.status, page.workspaceName.length > 0],
        [false, "choosing", true]
      )
      const sessions = yield* ConnectSessions
      assert.deepStrictEqual(yield* sessions.choices(visit.cookie), page)
      assert.deepStrictEqual(yield* back(visit, { code: "code" }, "facebook"), page)
      assert.deepStrictEqual((yield* FakeDialogs).exchanged, ["code"])
    }).pipe(Effect.provide(layerConnecting))
  )

  it.effect("is asked even if there is only one", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      const { linkToken } = yield* create(id, { network: "facebook" })
      const page = yield* back(yield* open(linkToken), { code: "code" }, "facebook")
      assert.isTrue(page._tag === "Choosing" && page.choices.every(({ isChosen }) => isChosen))
    }).pipe(Effect.provide(layerConnecting))
  )

  it.effect("connects what was ticked, once, however often the form is sent", () =>
    Effect.gen(function* () {
      const { page, visit, workspaceId } = yield* choosing()
      const all = yield* Effect.all(
        Array.from({ length: 5 }, () => choose(visit, page, ["one", "two", "hindered", "made up"])),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        all.map(outcomeOf),
        Array.from({ length: 5 }, () => ["completed", null])
      )
      assert.deepStrictEqual(yield* namesOf(workspaceId), ["one", "two"])
      assert.deepStrictEqual(outcomeOf(yield* choose(visit, page, ["hindered"])), ["completed", null])
      assert.deepStrictEqual(yield* namesOf(workspaceId), ["one", "two"])
    }).pipe(Effect.provide(layerConnecting))
  )

  it.effect("gets the page again if nothing was ticked that can be", () =>
    Effect.gen(function* () {
      const { page, visit, workspaceId } = yield* choosing()
      for (const keys of [[], ["hindered"], ["made up"]]) {
        assert.deepStrictEqual(outcomeOf(yield* choose(visit, page, keys)), ["NothingChosen"])
      }
      assert.deepStrictEqual(yield* namesOf(workspaceId), [])
      assert.deepStrictEqual(outcomeOf(yield* choose(visit, page, ["one"])), ["completed", null])
    }).pipe(Effect.provide(layerConnecting))
  )

  it.effect("is refused without the cookie, by another browser, and with another page's form", () =>
    Effect.gen(function* () {
      const sessions = yield* ConnectSessions
      const [mine, yours] = [yield* choosing(), yield* choosing()]
      yield* isStateInvalid(choose({ ...mine.visit, cookie: Option.none() }, mine.page, ["one"]))
      yield* isStateInvalid(choose(yours.visit, mine.page, ["one"]))
      yield* isStateInvalid(
        choose({ ...mine.visit, cookie: Option.some(Redacted.make("made up")) }, mine.page, ["one"])
      )
      yield* isStateInvalid(sessions.choose(mine.visit.cookie, Redacted.make(""), ["one"]))
      yield* isStateInvalid(sessions.choices(Option.none()))
      assert.deepStrictEqual(yield* namesOf(mine.workspaceId), [])
      assert.deepStrictEqual(yield* namesOf(yours.workspaceId), [])
    }).pipe(Effect.provide(layerConnecting))
  )

  it.effect("chooses one account when it is to be connected again, and no other", () =>
    Effect.gen(function* () {
      const first = yield* choosing()
      yield* choose(first.visit, first.page, ["one"])
      const { items } = yield* (yield* SocialAccounts).list(first.workspaceId, { limit: 1, after: Option.none() })
      const again = { socialAccountId: Option.fromUndefinedOr(items[0]?.id) }
      const second = yield* choosing(again, first.workspaceId)
      assert.isTrue(second.page.single)
      assert.deepStrictEqual(
        second.page.choices.filter(({ isChosen }) => isChosen).map(({ key }) => key),
        ["one"]
      )
      assert.deepStrictEqual(outcomeOf(yield* choose(second.visit, second.page, ["one", "two"])), ["NothingChosen"])
      assert.deepStrictEqual(outcomeOf(yield* choose(second.visit, second.page, ["two"])), [
        "failed",
        "account_mismatch"
      ])
      assert.deepStrictEqual(yield* namesOf(first.workspaceId), ["one"])
    }).pipe(Effect.provide(layerConnecting))
  )

  it.effect("connects the others when one of them is another user's", () =>
    Effect.gen(function* () {
      const first = yield* choosing({ externalUserId: Option.some("u1") })
      yield* choose(first.visit, first.page, ["one"])
      const second = yield* choosing({ externalUserId: Option.some("u2") }, first.workspaceId)
      const outcome = yield* choose(second.visit, second.page, ["one", "two"])
      assert.deepStrictEqual(outcomeOf(outcome), ["completed", "account_of_other_user"])
      assert.deepStrictEqual(yield* namesOf(first.workspaceId), ["one", "two"])
    }).pipe(Effect.provide(layerConnecting))
  )

  it.effect("can't choose any more when the time is over, or the link was opened in another browser", () =>
    Effect.gen(function* () {
      const late = yield* choosing()
      yield* TestClock.adjust("30 minutes")
      assert.deepStrictEqual(outcomeOf(yield* choose(late.visit, late.page, ["one"])), ["expired", null])
      const older = yield* choosing()
      yield* open(older.linkToken)
      yield* isStateInvalid(choose(older.visit, older.page, ["one"]))
      assert.deepStrictEqual(yield* namesOf(late.workspaceId), [])
      assert.deepStrictEqual(yield* namesOf(older.workspaceId), [])
    }).pipe(Effect.provide(layerConnecting))
  )

  it.effect("still can when the same browser opens the link again, until it is back with another answer", () =>
    Effect.gen(function* () {
      const mine = yield* choosing()
      const cookies = Option.toArray(mine.visit.cookie)
      yield* open(mine.linkToken, cookies)
      const sessions = yield* ConnectSessions
      assert.deepStrictEqual(yield* sessions.choices(mine.visit.cookie), mine.page)
      assert.deepStrictEqual(outcomeOf(yield* choose(mine.visit, mine.page, ["one"])), ["completed", null])
      assert.deepStrictEqual(yield* namesOf(mine.workspaceId), ["one"])

      const yours = yield* choosing()
      const second = yield* open(yours.linkToken, Option.toArray(yours.visit.cookie))
      yield* back(second, { code: "second" }, "facebook")
      yield* isStateInvalid(choose(yours.visit, yours.page, ["one"]))
      assert.deepStrictEqual(yield* namesOf(yours.workspaceId), [])
    }).pipe(Effect.provide(layerConnecting))
  )
})
