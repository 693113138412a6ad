import { OutcomeUnknown, Unavailable } from "@loopbox/core/networks/ConnectorErrors"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as oauth from "oauth4webapi"
import type { JsonAnswer } from "../calls/NetworkClient.ts"
import type { NetworkRequest, WriteBody } from "../calls/NetworkRequest.ts"
import type { XClient } from "../calls/SocialSettings.ts"

/** How a form is sent to X: with our limits, and in the app's name. */
type Send = (request: NetworkRequest, body: WriteBody) => Effect.Effect<JsonAnswer, Unavailable | OutcomeUnknown>

/** Refused by X in the words of OAuth. */
export interface OAuthRefusal {
  readonly _tag: "OAuthRefusal"
  /** `invalid_grant`, `unauthorized_client`; a status where X gives no name. */
  readonly code: string
  readonly text: string
}

const refusal = (code: string, text: string): OAuthRefusal => ({ _tag: "OAuthRefusal", code, text })

/** X's OAuth 2 (RFC 6749, 7636 and 7009), by a library that knows what such answers must be. */
export interface XOAuth {
  readonly exchange: (
    code: string,
    redirectUri: string,
    verifier: string
  ) => Effect.Effect<oauth.TokenEndpointResponse, OAuthRefusal | Unavailable | OutcomeUnknown>
  readonly revoke: (
    send: Send,
    token: Redacted.Redacted<string>,
    kind: "access_token" | "refresh_token"
  ) => Effect.Effect<void, OAuthRefusal | Unavailable | OutcomeUnknown>
}

/** What was thrown: our own failures as they are, and those of the library without what the answer held. */
const asFailure = (thrown: unknown): OAuthRefusal | Unavailable | OutcomeUnknown => {
  if (thrown instanceof Unavailable || thrown instanceof OutcomeUnknown) return thrown
  if (thrown instanceof oauth.ResponseBodyError) return refusal(thrown.error, thrown.error_description ?? thrown.error)
  return refusal("unreadable", thrown instanceof Error ? thrown.message : "the answer can't be read")
}

/** The library's requests go through our client: its time limit, no redirects, bounded answers, spans without secrets. */
const fetchBy = Effect.fnUntraced(function* (send: Send, client: XClient) {
  const run = Effect.runPromiseWith(yield* Effect.context())
  const basic = client.secret === undefined ? undefined : { username: client.id, password: client.secret }
  return (url: string, { body, signal }: oauth.CustomFetchOptions<"POST", URLSearchParams>) =>
    run(
      Effect.map(
        send({ url, query: {}, basic }, { form: Object.fromEntries(body) }),
        (answer) =>
          new Response(JSON.stringify(answer.body), {
            status: answer.status,
            headers: { "content-type": "application/json" }
          })
      ),
      signal === undefined ? {} : { signal }
    )
})

export const makeXOAuth = (root: string, app: XClient, sendUnmetered: Send): XOAuth => {
  const server: oauth.AuthorizationServer = {
    issuer: root,
    token_endpoint: `${root}/oauth2/token`,
    revocation_endpoint: `${root}/oauth2/revoke`
  }
  const client: oauth.Client = { client_id: app.id }
  /** X wants the id in the form, too; the secret is added by our client, where it has one. */
  const authenticate: oauth.ClientAuth = (_server, { client_id }, body) => body.set("client_id", client_id)

  const asked = <A>(
    send: Send,
    ask: (options: oauth.TokenEndpointRequestOptions, signal: AbortSignal) => Promise<A>
  ): Effect.Effect<A, OAuthRefusal | Unavailable | OutcomeUnknown> =>
    Effect.flatMap(fetchBy(send, app), (fetch) =>
      Effect.tryPromise({
        try: (signal) =>
          ask(
            {
              [oauth.customFetch]: fetch,
              // A simulator is on this machine.
              [oauth.allowInsecureRequests]: root.startsWith("http:"),
              signal
            },
            signal
          ),
        catch: asFailure
      })
    )

  return {
    exchange: (code, redirectUri, verifier) =>
      asked(sendUnmetered, async (options) => {
        // Its state was judged before anything was exchanged.
        const parameters = oauth.validateAuthResponse(server, client, new URLSearchParams({ code }))
        const answer = await oauth.authorizationCodeGrantRequest(
          server,
          client,
          authenticate,
          parameters,
          redirectUri,
          verifier,
          options
        )
        return oauth.processAuthorizationCodeResponse(server, client, answer)
      }),
    revoke: (send, token, kind) =>
      asked(send, async (options) => {
        const form = { token_type_hint: kind }
        const answer = await oauth.revocationRequest(server, client, authenticate, Redacted.value(token), {
          ...options,
          additionalParameters: form
        })
        await oauth.processRevocationResponse(answer)
      })
  }
}
