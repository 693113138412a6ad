import { assert, describe, it } from "@effect/vitest"
import { DateTime, Option } from "effect"
import type { AttemptProgress } from "../../src/connecting/ConnectAttempt.ts"
import { ConnectSession } from "../../src/connecting/ConnectSession.ts"
import type { AttemptFacts } from "../../src/connecting/ConnectSessionStore.ts"
import { decideCallback, decideChosen, decideEnd } from "../../src/connecting/decideAttempt.ts"
import { ConnectSessionId, WorkspaceId } from "../../src/kernel/Ids.ts"

const start = DateTime.makeUnsafe("2026-01-01T00:00:00Z")
const at = (seconds: number) => DateTime.add(start, { seconds })
const zeros = "0".repeat(26)

const factsOf = (progress: AttemptProgress, isNewest = true): AttemptFacts => ({
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
  attempt: {
    workspaceId: WorkspaceId.make(`ws_${zeros}`),
    sessionId: ConnectSessionId.make(`con_${zeros}`),
    stateDigest: "state",
    cookieDigest: "cookie",
    redirectUri: "https://here.example",
    sealedVerifier: "sealed",
    createdAt: start,
    progress
  },
  isNewest
})

const lease = (seconds: number, token = "new") => ({ token, now: at(seconds), until: at(seconds + 60) })
const browser = { network: "x", cookieDigest: "cookie", answer: "answer" }
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
    assert.strictEqual(back(60, factsOf(exchanging, false)), "Invalid")
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
    const older = factsOf(exchanging, false)
    const after = decideEnd("dead", failed, at(1))(older)
    assert.strictEqual(after.session?.status, "pending")
    assert.strictEqual(after.attempt?.progress._tag, "Over")
    const done = decideEnd("dead", { ...failed, status: "completed", failure: Option.none() }, at(1))(older)
    assert.strictEqual(done.session?.status, "completed")
    assert.strictEqual(decideEnd("dead", { _tag: "Choose", candidates: [] }, at(1))(older).answer._tag, "Invalid")
  })
})
