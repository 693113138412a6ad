import { ProblemCode } from "@loopbox/core/accounts/AccountHealth"
import { ConnectFailureCode } from "@loopbox/core/connecting/ConnectSession"
import { failureCodes } from "@loopbox/core/conversions/ConversionJob"
import { FailureKind, operationStatuses } from "@loopbox/core/items/ShownOperation"
import { TargetStatus } from "@loopbox/core/items/ShownPost"
import { PublishFailureCode } from "@loopbox/core/networks/publishing/PublishErrors"
import { PublishFaultCode, PublishWarningCode } from "@loopbox/core/networks/publishing/PublishFaultCode"
import { noAnswerReasons } from "@loopbox/core/outgoing/OutgoingDelivery"
import { overlayFailureCodes } from "@loopbox/core/overlays/OverlayJob"
import { errorCodes } from "@loopbox/adapters-http/api/errorCodes"
import { assert, describe, it } from "vitest"
import { englishAccounts } from "../../src/messages/english/accounts.ts"
import { englishActivity } from "../../src/messages/english/activity.ts"
import { englishMedia } from "../../src/messages/english/media.ts"
import { englishPosts } from "../../src/messages/english/posts.ts"
import { englishWebhooks } from "../../src/messages/english/webhooks.ts"
import { germanAccounts } from "../../src/messages/german/accounts.ts"
import { germanErrors } from "../../src/messages/german/errors.ts"
import { germanActivity } from "../../src/messages/german/activity.ts"
import { germanMedia } from "../../src/messages/german/media.ts"
import { germanPosts } from "../../src/messages/german/posts.ts"
import { germanWebhooks } from "../../src/messages/german/webhooks.ts"

/** What a host may answer with, and the texts for it in each language. */
const lists: ReadonlyArray<readonly [what: string, codes: ReadonlyArray<string>, ...texts: ReadonlyArray<object>]> = [
  ["an account's problems", ProblemCode.literals, englishAccounts.problems, germanAccounts.problems],
  ["why nothing was connected", ConnectFailureCode.literals, englishAccounts.reasons, germanAccounts.reasons],
  ["why a conversion failed", failureCodes, englishMedia.failures, germanMedia.failures],
  ["why a post did not go out", PublishFailureCode.literals, englishPosts.failures, germanPosts.failures],
  // The host's own sentences are English, here and for refusals.
  ["what keeps a post from going out", PublishFaultCode.literals, germanPosts.issues],
  ["what the author of a post should know", PublishWarningCode.literals, germanPosts.issues],
  ["what becomes of replies", operationStatuses, englishActivity.labels, germanActivity.labels],
  ["what becomes of posts", TargetStatus.literals, englishActivity.labels, germanActivity.labels],
  ["why conversions fail, in charts", failureCodes, englishActivity.labels, germanActivity.labels],
  ["why overlays fail, in charts", overlayFailureCodes, englishActivity.labels, germanActivity.labels],
  ["why posts fail, in charts", PublishFailureCode.literals, englishActivity.labels, germanActivity.labels],
  ["why replies fail, in charts", FailureKind.literals, englishActivity.labels, germanActivity.labels],
  ["why webhooks have no answer, in charts", noAnswerReasons, englishActivity.labels, germanActivity.labels],
  ["why a webhook had no answer", noAnswerReasons, englishWebhooks.noAnswerReasons, germanWebhooks.noAnswerReasons],
  ["refusals", Object.keys(errorCodes), germanErrors]
]

describe("codes in words", () => {
  for (const [what, codes, ...texts] of lists) {
    it(`${what}: every code of the host has its text in each language`, () => {
      assert.isNotEmpty(codes)
      for (const one of texts)
        assert.deepStrictEqual(
          codes.filter((code) => !Object.hasOwn(one, code)),
          []
        )
    })
  }

  it("an account's problem names its network and the permissions that are missing", () => {
    for (const { problems } of [englishAccounts, germanAccounts]) {
      const { missing_scopes, reconnect_required } = problems
      assert.include(missing_scopes.message("X", ["tweet.write", "users.read"]), "(tweet.write, users.read)")
      assert.notInclude(missing_scopes.message("X", []), "(")
      assert.include(reconnect_required.message("Instagram"), "Instagram")
    }
  })
})
