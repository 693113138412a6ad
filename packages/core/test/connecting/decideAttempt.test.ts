import { assert, describe, it } from "@effect/vitest"
import { DateTime, Option } from "effect"
import type { AttemptProgress, ConnectAttempt } from "../../src/connecting/ConnectAttempt.ts"
import { ConnectSession } from "../../src/connecting/ConnectSession.ts"
import type { AttemptFacts } from "../../src/connecting/ConnectSessionStore.ts"
import {
  decideBegin,
  decideCallback,
  decideChoices,
  decideChosen,
  decideEnd,
  decideKept
} from "../../src/connecting/decideAttempt.ts"
import { ConnectSessionId, WorkspaceId } from "../../src/kernel/Ids.ts"

const start = DateTime.makeUnsafe("2026-01-01T00:00:00Z")
const at = (seconds: number) => DateTime.add(start, { seconds })
const zeros = "0".repeat(26)

const attemptOf = (progress: AttemptProgress, stateDigest = "state"): ConnectAttempt => ({
  workspaceId: WorkspaceId.make(`ws_${zeros}`),
  sessionId: ConnectSessionId.make(`con_${zeros}`),
  stateDigest,
  cookieDigest: `cookie of ${stateDigest}`,
  redirectUri: "https://here.example",
  sealedVerifier: "sealed",
  createdAt: start,
  progress
})

const factsOf = (progress: AttemptProgress, newer: ReadonlyArray<ConnectAttempt> = []): AttemptFacts => ({
  session: new ConnectSession({
    id: ConnectSessionId.make(`con_${zeros}`),
    workspaceId: WorkspaceId.make(`ws_${zeros}`),
    network: "x",
    login: "x",
    externalUserId: Option.none(),
    status: "pending",
    returnUrl: Option.none(),
    features: [],
    socialAccountId: Option.none(),
    accountIds: [],
    failure: Option.none(),
    createdAt: start,
    expiresAt: at(1_800),
    completedAt: Option.none()
  }),
  attempt: attemptOf(progress),
  newer
})

const young = attemptOf({ _tag: "Open" }, "young")

const lease = (seconds: number, token = "new") => ({ token, now: at(seconds), until: at(seconds + 60) })
const browser = { network: "x", cookieDigests: ["another", "cookie of state"], answer: "answer" }
const exchanging = { _tag: "Exchanging", answer: "answer", token: "dead", until: at(60) } as const
const admitting = { ...exchanging, _tag: "Admitting", candidates: [] } as const
const failure = Option.some({ code: "provider_error", detail: "" } as const)
const failed = { _tag: "End", status: "failed", accountIds: [], failure } as const

describe("an attempt whose process died", () => {
  it("is worked on by nobody else for a minute, and then by the same answer only", () => {
    const back = (seconds: number, facts = factsOf(exchanging), answer = "answer") =>
      decideCallback({ ...browser, answer }, lease(seconds))(facts).answer._tag
    assert.strictEqual(back(59), "Running")
    assert.strictEqual(back(60), "Claimed")
    assert.strictEqual(back(60, factsOf(exchanging), "another"), "Invalid")
    assert.strictEqual(back(60, factsOf(exchanging, [young])), "Invalid")
    assert.strictEqual(back(1_800), "Invalid")
  })

  it("while it connected what was chosen shows the choice again", () => {
    assert.strictEqual(decideCallback(browser, lease(59))(factsOf(admitting)).answer._tag, "Running")
    assert.strictEqual(decideCallback(browser, lease(60))(factsOf(admitting)).answer._tag, "Choosing")
    assert.strictEqual(decideChosen(lease(60))(factsOf(admitting)).answer._tag, "Claimed")
  })

  it("ends by whoever holds it, late or not, and never by who lost it", () => {
    const end = (token: string) => decideEnd(token, failed, at(600))(factsOf(exchanging))
    assert.strictEqual(end("dead").session?.status, "failed")
    assert.deepStrictEqual(end("other"), { answer: { _tag: "Running" } })
  })
})

describe("the end of an older attempt than the newest", () => {
  it("tells the session of a success only", () => {
    const older = factsOf(exchanging, [young])
    const after = decideEnd("dead", failed, at(1))(older)
    assert.strictEqual(after.session?.status, "pending")
    assert.strictEqual(after.attempt?.progress._tag, "Over")
    const done = decideEnd("dead", { ...failed, status: "completed", failure: Option.none() }, at(1))(older)
    assert.strictEqual(done.session?.status, "completed")
    assert.strictEqual(decideEnd("dead", { _tag: "Choose", candidates: [] }, at(1))(older).answer._tag, "Invalid")
  })
})

describe("what the network gave", () => {
  it("is kept by whoever works on the attempt, for the rest of its lease, and by nobody else", () => {
    const kept = decideKept("dead", [])(factsOf(exchanging))
    assert.deepStrictEqual(kept.attempt?.progress, admitting)
    assert.strictEqual(kept.answer._tag, "Claimed")
    assert.deepStrictEqual(decideKept("other", [])(factsOf(exchanging)), { answer: { _tag: "Running" } })
    // It is also kept, and connected, if somebody opened the link meanwhile: the network took the code already.
    assert.strictEqual(decideKept("dead", [])(factsOf(exchanging, [young])).answer._tag, "Claimed")
  })
})

describe("a link that is opened again while a person chooses", () => {
  const choosing = { _tag: "Choosing", answer: "answer", candidates: [] } as const
  const first = attemptOf(choosing)
  const begin = (cookies: ReadonlyArray<string>, attempts = [first], name = "next") => {
    const { session } = factsOf(choosing)
    const opened = new ConnectSession({ ...session, status: "choosing" })
    return Option.getOrThrow(decideBegin(attemptOf({ _tag: "Open" }, name), cookies, at(1))(opened, attempts))
  }
  const look = (newer: ReadonlyArray<ConnectAttempt>) => decideChoices(at(2))(factsOf(choosing, newer)).answer._tag

  it("by the same browser takes nothing from the person, however often", () => {
    const again = begin(["cookie of state"])
    assert.strictEqual(again.session.status, "choosing")
    assert.strictEqual(look([again.attempt]), "Choosing")
    const thrice = begin(["cookie of state", "cookie of next"], [first, again.attempt], "thrice")
    assert.strictEqual(look([again.attempt, thrice.attempt]), "Choosing")
  })

  it("by the same browser, which then comes back from the network, ends the choice", () => {
    const { attempt } = begin(["cookie of state"])
    assert.strictEqual(look([{ ...attempt, progress: exchanging }]), "Invalid")
    const over = { _tag: "Over", answer: "answer", status: "denied", failure: Option.none() } as const
    assert.strictEqual(look([{ ...attempt, progress: over }]), "Invalid")
  })

  it("by another browser ends the choice", () => {
    const { attempt, session } = begin(["cookie of a stranger"])
    assert.strictEqual(session.status, "pending")
    assert.strictEqual(look([attempt]), "Invalid")
    // The first browser opens it once more: there is nothing left to protect.
    const late = begin(["cookie of state"], [first, attempt], "late")
    assert.deepStrictEqual(late.attempt.progress, { _tag: "Open" })
  })

  it("while it is at the network still needs the newest state", () => {
    const atNetwork = attemptOf({ _tag: "Open" })
    const { attempt } = begin(["cookie of state"], [atNetwork])
    assert.deepStrictEqual(attempt.progress, { _tag: "Open" })
  })
})
