import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as HttpServerRequest from "effect/http/HttpServerRequest"

/** Where requests that are being answered were reached, prefix included, as their mount saw it. */
const addresses = new WeakMap<object, string>()

/** Notes where a request was reached; `source` is Node's request, or that of the fetch standard. */
export const noteAddress = (source: object, address: string): void => {
  addresses.set(source, address)
}

/**
 * The base of links where no public URL is given: the address of the request that asks for one. A request can only turn
 * the links of its own answer.
 */
export const requestAddress: Effect.Effect<string> = Effect.map(
  Effect.serviceOption(HttpServerRequest.HttpServerRequest),
  (request) =>
    Option.getOrElse(
      Option.flatMapNullishOr(request, ({ source }) => addresses.get(source)),
      () => "http://localhost"
    )
)
