import type { Feature } from "@loopbox/core/networks/Feature"
import type { ConnectCandidate, Hindrance } from "@loopbox/core/networks/NetworkConnect"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { MetaApp } from "../connect/appOf.ts"
import type { ExchangeCalls } from "../connect/exchangeCalls.ts"
import { appsecretProof } from "../payloads/signature.ts"
import { allows } from "./pages.ts"
import type { Page } from "./pages.ts"

/** So many are tried, a few at a time; nobody waits longer than 6 seconds for all of them. */
const mostTried = 60
const concurrency = 20
const patience = "2 seconds"

/** A Page as a person may choose it. */
export interface OfferedPage extends Page {
  /** Why it can't be chosen, whatever is to be done with it. */
  readonly hindrance: Option.Option<Hindrance>
}

const hindranceOfRole = (page: Page, features: ReadonlyArray<Feature>): Option.Option<Hindrance> => {
  if (Option.isNone(page.token)) return Option.some("page_token_missing")
  return allows(page, features) ? Option.none() : Option.some("page_permission_required")
}

/** What a refusal says of the Page; nothing if it may pass. */
const hindranceOfCode = (code: string): Option.Option<Hindrance> => {
  if (/^(190|102)(\/|$)/.test(code)) return Option.some("page_token_missing")
  // A permission or a role that is not there, and Meta's word for what one must not see.
  return /^(10|2\d\d)(\/|$)|^100\/33$/.test(code) ? Option.some("page_permission_required") : Option.none()
}

/**
 * What a person may choose. Each Page, or the Instagram account behind it, is read once by the Page's own token: lists
 * name Pages that were never allowed to the app (social-networks-write.md E13). Who can't be asked now is left as it is.
 */
export const offerPages = Effect.fnUntraced(function* (
  calls: ExchangeCalls,
  { app, root }: { readonly app: MetaApp; readonly root: string },
  pages: ReadonlyArray<Page>,
  { features, withInstagram }: { readonly features: ReadonlyArray<Feature>; readonly withInstagram: boolean }
) {
  const refusalOf = Effect.fnUntraced(function* ({ id, instagram, token }: Page) {
    const object = withInstagram ? Option.map(instagram, (account) => account.id) : Option.some(id)
    if (Option.isNone(token) || Option.isNone(object)) return []
    calls.keepSecret(token.value)
    const query = {
      fields: withInstagram ? "id,username" : "id,name",
      appsecret_proof: Redacted.make(appsecretProof(app.secret, token.value))
    }
    const url = `${root}/${encodeURIComponent(object.value)}`
    const code = yield* calls
      .get({ url, query, accessToken: token.value }, () => Result.succeed(undefined))
      .pipe(
        Effect.as(Option.none<string>()),
        Effect.catchTag("ConnectFailed", ({ networkCode }) => Effect.succeed(networkCode)),
        Effect.timeoutOption(patience)
      )
    const hindrance = Option.flatMap(Option.flatten(code), hindranceOfCode)
    return Option.toArray(Option.map(hindrance, (one) => [id, one] as const))
  })
  const tried = pages.filter((page) => Option.isNone(hindranceOfRole(page, features))).slice(0, mostTried)
  const refused = new Map((yield* Effect.forEach(tried, refusalOf, { concurrency })).flat())
  return pages.map((page): OfferedPage => ({
    ...page,
    hindrance: Option.orElse(hindranceOfRole(page, features), () => Option.fromUndefinedOr(refused.get(page.id)))
  }))
})

/** A Page's token has no end of its own. It is left out where the Page can't be chosen. */
export const tokenOf = ({ hindrance, token }: OfferedPage): ConnectCandidate["token"] =>
  Option.isSome(hindrance)
    ? Option.none()
    : Option.map(token, (accessToken) => ({ accessToken, refreshToken: Option.none(), expiresAt: Option.none() }))
