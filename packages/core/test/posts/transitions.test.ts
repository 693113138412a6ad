import { assert, describe, it } from "@effect/vitest"
import { noon } from "@loopbox/testing/fixtures/activities"
import { DateTime, Duration, Option } from "effect"
import * as fc from "fast-check"
import { MediaId, PostId, PostTargetId, SocialAccountId, WorkspaceId } from "../../src/kernel/Ids.ts"
import { OutcomeUnknown, RateLimited } from "../../src/networks/ConnectorErrors.ts"
import { PostTarget, Waiting } from "../../src/posts/PostTarget.ts"
import {
  admitted,
  begin,
  dueAt,
  failed,
  looked,
  overQuota,
  republished,
  stepped,
  uncertain
} from "../../src/posts/transitions.ts"

const body = "0".repeat(25)
const at = (seconds: number) => DateTime.add(noon, { seconds })
const about = { network: "instagram", networkCode: Option.none(), detail: "" } as const

const waiting = new PostTarget({
  id: PostTargetId.make(`ptg_${body}1`),
  postId: PostId.make(`pst_${body}1`),
  workspaceId: WorkspaceId.make(`ws_${body}1`),
  accountId: SocialAccountId.make(`acc_${body}1`),
  network: Option.some("instagram"),
  text: Option.none(),
  mediaIds: Option.some(new Array<MediaId>()),
  firstComment: Option.none(),
  options: { values: {}, altTexts: {} },
  attempts: 0,
  state: new Waiting({ startAt: Option.some(noon) }),
  updatedAt: noon
})

const ready = { _tag: "Ready", preparation: "container" } as const
const failureIn = ({ state }: PostTarget) => ("failure" in state && "code" in state.failure ? state.failure : undefined)

describe("the times of a target (api-2.md §12)", () => {
  it("begins until 15 minutes after its time, and is too late then", () => {
    assert.strictEqual(begin(waiting, at(899)).state._tag, "Preparing")
    const late = begin(waiting, at(900))
    assert.deepStrictEqual([failureIn(late)?.code, failureIn(late)?.retryable], ["too_late", true])
  })

  it("asks for the quota every 5 minutes, tells when, and gives up an hour after it began", () => {
    let target = overQuota(begin(waiting, noon), noon)
    const asked: Array<number> = []
    for (let n = 0; n < 20 && target.state._tag === "Delayed"; n++) {
      const due = Option.getOrThrow(dueAt(target))
      assert.deepStrictEqual(Option.getOrThrow(target.state.failure.retryAt), due)
      assert.strictEqual(target.state.failure.code, "quota_exceeded")
      asked.push(Duration.toMinutes(DateTime.distance(noon, due)))
      target = overQuota(begin(target, due), due)
    }
    assert.deepStrictEqual(asked, [5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60])
    assert.deepStrictEqual([failureIn(target)?.code, failureIn(target)?.retryable], ["quota_exceeded", true])
  })

  it("waits for a rate limit that the network tells no longer than an hour", () => {
    const error = new RateLimited({ ...about, retryAt: Option.some(at(7_200)) })
    const target = failed(begin(waiting, noon), error, noon)
    assert.deepStrictEqual(Option.getOrThrow(dueAt(target)), at(3_600))
  })

  it("is not published when it got ready too late to be looked for", () => {
    const begun = admitted(begin(waiting, noon), noon)
    assert.strictEqual(stepped(begun, ready, at(18 * 60 - 1)).state._tag, "Publishing")
    assert.strictEqual(failureIn(stepped(begun, ready, at(18 * 60)))?.code, "processing_timeout")
  })

  it("is decided within 30 minutes after it began, whenever it was attempted and however often it is repeated", () => {
    const cases = fc.tuple(fc.integer({ min: 0, max: 18 * 60 - 1 }), fc.array(fc.boolean(), { maxLength: 8 }))
    fc.assert(
      fc.property(cases, ([attemptedAfter, repeats]) => {
        const now = at(attemptedAfter)
        const lost = new OutcomeUnknown(about)
        let target = failed(stepped(admitted(begin(waiting, noon), noon), ready, now), lost, now)
        const looks: Array<number> = []
        for (let n = 0; n < 20 && target.state._tag === "OutcomeUnknown"; n++) {
          const due = Option.getOrThrow(dueAt(target))
          looks.push(Duration.toSeconds(DateTime.distance(noon, due)))
          const over = DateTime.add(due, { seconds: 40 })
          target = repeats[n] === true ? uncertain(republished(target, due), over) : looked(target, due)
        }
        assert.strictEqual(target.state._tag, "NeedsReconciliation")
        if (target.state._tag !== "NeedsReconciliation") return
        assert.isAtMost(Duration.toMinutes(DateTime.distance(noon, target.state.endedAt)), 29)
        assert.isAtLeast(looks.length, 4)
      })
    )
  })
})
