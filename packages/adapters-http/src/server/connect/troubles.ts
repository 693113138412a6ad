import type { ConnectLinkExpired, ConnectLinkUnknown, StateInvalid } from "@loopbox/core/connecting/ConnectErrors"
import type { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { RequestId } from "../../api/RequestId.ts"
import { AddressLimits } from "../access/AddressLimits.ts"
import type { InvalidRequest } from "../edge/issues.ts"
import type { FormInvalid } from "../edge/readForm.ts"
import type { BodyTimeout, BodyTooLarge } from "../edge/readJson.ts"
import { unavailableSeconds } from "../edge/refuse.ts"
import { makeFrame, type PageContent } from "./frame.ts"
import { type Language, preferredLanguage } from "./language.ts"
import { troublePage } from "./pages.ts"
import { PageTrouble } from "./Wording.ts"

type FormFault = FormInvalid | BodyTooLarge | BodyTimeout | InvalidRequest

/** A request that is answered by a page of trouble. */
export class Trouble extends Schema.TaggedError<Trouble>()("Trouble", { trouble: PageTrouble }) {}

const statuses: Record<PageTrouble, number> = {
  link_unknown: 404,
  link_expired: 410,
  state_invalid: 400,
  deletion_unknown: 404,
  too_many: 429,
  too_large: 413,
  unavailable: 503
}

/** Answers a page in the browser's language. */
export const makeShow = Effect.map(
  makeFrame,
  (frame) => (status: number, page: (language: Language) => Omit<PageContent, "status">) =>
    Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) =>
      frame({ ...page(preferredLanguage(headers["accept-language"])), status })
    )
)

/** A stranger's guess: a link, a code or a state that nobody gave out. */
const isGuess = (trouble: PageTrouble) =>
  trouble === "link_unknown" || trouble === "state_invalid" || trouble === "deletion_unknown"

/**
 * Answers refusals of a browser by pages. Guesses of an address count together with its refused credentials, and once they
 * are too many nothing of it is looked up but what was good lately.
 */
export const makeGuard = Effect.gen(function* () {
  const addresses = yield* AddressLimits
  const show = yield* makeShow

  const showTrouble = Effect.fnUntraced(function* (trouble: PageTrouble, seconds?: number) {
    const id = yield* RequestId
    const response = yield* show(statuses[trouble], (language) => troublePage(language, trouble, id))
    return seconds === undefined ? response : HttpServerResponse.setHeader(response, "retry-after", String(seconds))
  })

  const answerTrouble = Effect.fnUntraced(function* (trouble: PageTrouble) {
    const wait = isGuess(trouble) ? yield* addresses.noteRefused : Option.none()
    return yield* Option.isSome(wait) ? showTrouble("too_many", wait.value) : showTrouble(trouble)
  })

  const refuseUnavailable = (error: StoreUnavailable) =>
    Effect.andThen(Effect.logWarning("a dependency is down", error), showTrouble("unavailable", unavailableSeconds))

  return Effect.fnUntraced(function* <R>(
    secret: Redacted.Redacted<string>,
    answer: Effect.Effect<
      HttpServerResponse.HttpServerResponse,
      Trouble | ConnectLinkUnknown | ConnectLinkExpired | StateInvalid | FormFault | StoreUnavailable,
      R
    >
  ) {
    const wait = yield* addresses.judge(secret)
    if (Option.isSome(wait)) return yield* showTrouble("too_many", wait.value)
    return yield* Effect.tap(answer, () => Effect.sync(() => addresses.noteGood(secret))).pipe(
      Effect.catchTags({
        Trouble: ({ trouble }) => answerTrouble(trouble),
        ConnectLinkUnknown: () => answerTrouble("link_unknown"),
        ConnectLinkExpired: () => answerTrouble("link_expired"),
        StateInvalid: () => answerTrouble("state_invalid"),
        FormInvalid: () => answerTrouble("state_invalid"),
        BodyTooLarge: () => answerTrouble("too_large"),
        BodyTimeout: () => answerTrouble("state_invalid"),
        InvalidRequest: () => answerTrouble("state_invalid"),
        StoreUnavailable: refuseUnavailable
      })
    )
  })
})
