import { ConnectFailed } from "@loopbox/core/networks/ConnectorErrors"
import type { Network } from "../names.ts"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { failureText } from "../calls/failureText.ts"
import type { JsonAnswer, NetworkClient } from "../calls/NetworkClient.ts"
import type { NetworkRequest } from "../calls/NetworkRequest.ts"
import { refusalOf } from "./refusalOf.ts"

type Read<A> = (value: unknown) => Result.Result<A, string>

/** The calls of one exchange: of a code for tokens, and of what they are worth. Each failure ends the exchange. */
export interface ExchangeCalls {
  readonly get: <A>(request: NetworkRequest, read: Read<A>) => Effect.Effect<A, ConnectFailed>
  readonly postForm: <A>(
    url: string,
    form: Readonly<Record<string, string>>,
    read: Read<A>
  ) => Effect.Effect<A, ConnectFailed>
  /** What is read instead of an answer that could not be had. */
  readonly failed: (reason: ConnectFailed["reason"], detail: string, networkCode?: string) => ConnectFailed
  /** From now on no error quotes it. */
  readonly keepSecret: (secret: Redacted.Redacted<string>) => void
}

/** `secrets` are never part of an error, whatever the network quotes. */
export const makeExchangeCalls = (
  network: Network,
  client: NetworkClient,
  secrets: ReadonlyArray<Redacted.Redacted<string>>
): ExchangeCalls => {
  const known = [...secrets]
  const failed: ExchangeCalls["failed"] = (reason, detail, networkCode) =>
    new ConnectFailed({
      network,
      reason,
      networkCode: Option.map(Option.fromUndefinedOr(networkCode), (name) => failureText(name, ...known)),
      detail: failureText(detail, ...known)
    })

  const understand = <A>({ body, status }: JsonAnswer, read: Read<A>): Effect.Effect<A, ConnectFailed> => {
    const refusal = refusalOf(status, body)
    if (refusal !== undefined) return Effect.fail(failed(refusal.reason, refusal.text, refusal.code))
    return Effect.mapError(Effect.fromResult(read(body)), (detail) => failed("provider_error", detail))
  }

  const unanswered = ({ detail }: { readonly detail: string }): ConnectFailed => failed("provider_error", detail)

  return {
    get: (request, read) =>
      client.get({ ...request, network }).pipe(
        Effect.mapError(unanswered),
        Effect.flatMap((answer) => understand(answer, read))
      ),
    postForm: (url, form, read) =>
      client.post({ url, query: {}, network }, { form }).pipe(
        Effect.mapError(unanswered),
        Effect.flatMap((answer) => understand(answer, read))
      ),
    failed,
    keepSecret: (secret) => {
      known.push(secret)
    }
  }
}
