import type { SocialAccount } from "@loopbox/core/accounts/SocialAccount"
import { SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { Networks } from "@loopbox/core/networks/Networks"
import { begin } from "@loopbox/core/outbound/transitions"
import { noon, posted } from "@loopbox/testing/fixtures/activities"
import { layerNetworks } from "@loopbox/testing/fixtures/networks"
import { makeOperation } from "@loopbox/testing/fixtures/outboundFixtures"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Option } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { settleByFacts } from "../../src/replies/settleByFacts.ts"

describe("a reply of unknown outcome", () => {
  it.effect("takes no post by its text while a rival cannot be read whose it may be", () =>
    Effect.gen(function* () {
      const traits = (yield* Networks).traitsOf("ig_comment")
      const account: Pick<SocialAccount, "id" | "workspaceId" | "externalUserId"> = {
        id: SocialAccountId.make("acc_00000000000000000000000001"),
        workspaceId: WorkspaceId.make("ws_00000000000000000000000001"),
        externalUserId: Option.none()
      }
      const sent = begin(yield* makeOperation(account, noon), noon)
      const operation = begin(sent, DateTime.add(noon, { seconds: 20 }))
      const shown = [
        posted({
          externalId: "r1",
          threadKey: "c1",
          isOwn: true,
          body: "Yes",
          receivedAt: DateTime.add(noon, { seconds: 2 })
        })
      ]
      const settle = (hasUnreadRivals: boolean) =>
        settleByFacts(
          traits,
          { operation, rivals: [], hasUnreadRivals, own: [], taken: new Set() },
          shown,
          DateTime.add(noon, { seconds: 30 })
        ).state._tag
      assert.deepStrictEqual([settle(false), settle(true)], ["RemoteSucceeded", "OutcomeUnknown"])
    }).pipe(Effect.provide(Layer.merge(layerNetworks, SecureRandom.layerWebCrypto)))
  )
})
