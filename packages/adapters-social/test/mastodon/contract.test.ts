import { socialConnectorContract } from "@loopbox/testing/conformance/SocialConnectorContract"
import { Effect, Option, Redacted } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { mastodon } from "./descriptor.ts"
import { makeMastodonConnector } from "./MastodonConnector.ts"
import { mastodonServer, ourId, token } from "./mastodonServer.ts"

socialConnectorContract(
  mastodon,
  Effect.gen(function* () {
    const { mode, url, write } = yield* mastodonServer
    const client = yield* HttpClient.HttpClient
    const set = (answers: typeof mode.answers) => Effect.sync(() => (mode.answers = answers))
    return {
      connector: makeMastodonConnector(client, url),
      access: {
        networkAccountId: ourId,
        otherAccountId: Option.none(),
        login: Option.none(),
        throughAccountId: Option.none(),
        username: Option.some("we@example.social"),
        accessToken: Redacted.make(token)
      },
      write: (text: string) => Effect.sync(() => write("200", text, null)),
      loseAnswers: set("losesAnswers"),
      goDown: set("nothing")
    }
  }).pipe(Effect.provide(FetchHttpClient.layer))
)
