import { AccountAdministration } from "@loopbox/core/access/AccountAdministration"
import type { Feed, FeedPage } from "@loopbox/core/networks/Feed"
import * as FakeConnector from "@loopbox/testing/fakes/FakeConnector"
import { posted } from "@loopbox/testing/fixtures/activities"
import { DateTime, Effect, Option, Redacted } from "effect"

/** An X account. */
export const connectX = Effect.fnUntraced(function* (workspaceId: string, networkAccountId: string, owner?: string) {
  const { account } = yield* (yield* AccountAdministration).connect(workspaceId, {
    network: "x",
    networkAccountId,
    name: "Us",
    username: Option.some("us"),
    avatarUrl: Option.none(),
    externalUserId: Option.fromUndefinedOr(owner),
    credentials: { accessToken: Redacted.make("token"), refreshToken: Option.none(), expiresAt: Option.none() },
    permissions: []
  })
  return account
})

/** A fake X with so many mentions of every account, a minute apart; pages as large as asked. */
export const scriptX = Effect.fnUntraced(function* (count: number) {
  const networks = yield* FakeConnector.FakeNetworks
  const now = yield* DateTime.now
  const read: Array<number> = []
  networks.script = {
    listFeeds: (access, step) => {
      const feed: Feed = {
        step,
        source: "x_reply",
        id: access.networkAccountId,
        items: Option.none(),
        updatedAt: Option.none(),
        size: Option.none(),
        firstPage: Option.none()
      }
      return Effect.succeed([feed])
    },
    readFeed: (access, _feed, request) =>
      Effect.gen(function* () {
        const from = Number(Option.getOrElse(request.cursor, () => "0"))
        const size = Math.min(
          count - from,
          Option.getOrElse(request.limit, () => 100)
        )
        read.push(size)
        const page: FeedPage = {
          activities: Array.from({ length: size }, (_, n) =>
            posted({
              source: "x_reply",
              account: access.networkAccountId,
              externalId: `p${from + n}`,
              receivedAt: DateTime.subtract(now, { minutes: from + n })
            })
          ),
          seen: [],
          coversFrom: Option.none(),
          next: from + size < count ? Option.some(String(from + size)) : Option.none(),
          checkpoint: Option.none(),
          read: size,
          suppressed: 0,
          unreadable: [],
          requestedAt: yield* DateTime.now
        }
        return page
      })
  }
  return read
})
