import type { ScopedCaller } from "@loopbox/core/access/EntitledCaller"
import type { LinkedSession } from "@loopbox/core/connecting/ConnectSessions"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { toConnectedAccountBody } from "../../api/accounts/ConnectedAccountBody.ts"
import { toConnectSessionBody } from "../../api/accounts/ConnectBodies.ts"
import { wordings } from "../connect/wordings.ts"
import { answer } from "../edge/refuse.ts"
import { HttpSettings } from "../system/HttpSettings.ts"
import { connectedAccounts } from "./connectingOrNone.ts"

/** The address that a person's browser opens. */
export const linkOf = (publicUrl: string, linkToken: Redacted.Redacted<string>): Redacted.Redacted<string> =>
  Redacted.make(`${publicUrl}/connect/${Redacted.value(linkToken)}`)

/** Answers a session with its link and with those of its accounts that the caller's scope has now. */
export const makeAnswerSession = Effect.gen(function* () {
  const { publicUrl } = yield* HttpSettings
  const accounts = yield* connectedAccounts
  return Effect.fnUntraced(function* ({ scope }: ScopedCaller, { linkToken, session }: LinkedSession) {
    const found = yield* Effect.forEach(session.accountIds, (id) =>
      accounts.find(scope, id).pipe(
        Effect.asSome,
        Effect.catchTag("AccountNotFound", () => Effect.succeedNone)
      )
    )
    return yield* answer(
      toConnectSessionBody(session, {
        url: linkOf(yield* publicUrl, linkToken),
        accounts: Arr.getSomes(found).map(toConnectedAccountBody),
        sentenceOf: (code) => `${wordings.en.failures[code].happened} ${wordings.en.failures[code].remedy}`
      })
    )
  })
})
