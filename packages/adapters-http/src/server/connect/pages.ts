import type { Choice, Choosing } from "@loopbox/core/connecting/ConnectSessions"
import type { ConnectSession } from "@loopbox/core/connecting/ConnectSession"
import type { DeletionRequest } from "@loopbox/core/connecting/MetaCallbacks"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { networkTitle } from "../../api/names.ts"
import type { PageContent } from "./frame.ts"
import { type Markup, markup, noMarkup } from "./markup.ts"
import type { Language } from "./language.ts"
import type { PageTrouble, Trouble, Wording } from "./Wording.ts"
import { wordings } from "./wordings.ts"

type Page = Omit<PageContent, "status">

/** What a person may quote to somebody who helps: an id that is no secret. */
const reference = (wording: Wording, id: string): Markup => markup`<p class="quiet">${wording.reference}: ${id}</p>`

const picture = ({ avatarUrl }: Choice): Markup =>
  Option.match(
    Option.filter(avatarUrl, (url) => url.startsWith("https://")),
    { onNone: () => noMarkup, onSome: (url) => markup`<img src="${url}" alt="" width="48" height="48">` }
  )

const choiceLabel = (choice: Choice, { single }: Pick<Choosing, "single">, { hindrances }: Wording): Markup => {
  const attributes = [
    choice.isChosen && Option.isNone(choice.hindrance) ? markup` checked` : noMarkup,
    Option.isSome(choice.hindrance) ? markup` disabled` : noMarkup
  ]
  const handle = Option.match(choice.username, {
    onNone: () => noMarkup,
    onSome: (name) => markup`<small>@${name}</small>`
  })
  const hindrance = Option.match(choice.hindrance, {
    onNone: () => noMarkup,
    onSome: (reason) => markup`<small>${hindrances[reason]}</small>`
  })
  return markup`<label><input type="${single ? "radio" : "checkbox"}" name="account" value="${choice.key}"${attributes}>${picture(choice)}<span>${choice.name}${handle}${hindrance}</span></label>
`
}

/**
 * Where the form may lead: here, and then wherever the return address does. A browser judges each redirect of it, and the
 * customer's app may send the person on to hosts that nobody here knows.
 */
const formActionOf = ({ returnUrl }: ConnectSession): string =>
  Option.match(returnUrl, {
    onNone: () => "'self'",
    onSome: (url) => (url.startsWith("https:") ? "'self' https:" : "'self' https: http:")
  })

/** The page on which a person chooses among accounts; `action`: the path to which its form is sent. */
export const choosingPage = (
  language: Language,
  action: string,
  choosing: Omit<Choosing, "_tag">,
  isRefused: boolean
): Page => {
  const { choices, formToken, session, single, workspaceName } = choosing
  const wording = wordings[language]
  const network = networkTitle(session.network)
  const fault = isRefused ? markup`<p class="fault" role="alert">${wording.choosing.nothingChosen}</p>` : noMarkup
  return {
    language,
    title: wording.choosing.title(network),
    formAction: formActionOf(session),
    pictures: choices.flatMap(({ avatarUrl }) => Option.toArray(avatarUrl)),
    body: markup`<p>${wording.choosing.intro(workspaceName, network)}</p>
<p>${wording.choosing.allowed(workspaceName)}</p>
<ul>${session.features.map((feature) => markup`<li>${wording.features[feature]}</li>`)}</ul>
${fault}<form method="post" action="${action}"><input type="hidden" name="form_token" value="${Redacted.value(formToken)}">
<fieldset><legend>${single ? wording.choosing.chooseOne : wording.choosing.chooseSome}</legend>
${choices.map((choice) => choiceLabel(choice, choosing, wording))}</fieldset>
<button type="submit">${wording.choosing.submit}</button></form>`
  }
}

const troubleBody = ({ happened, remedy }: Omit<Trouble, "title">): Markup => markup`<p>${happened}</p>
<p>${remedy}</p>`

/** What the person waits for is not done yet: the browser asks again by itself. */
export const waitingPage = (language: Language): Page => {
  const { happened, remedy, title } = wordings[language].waiting
  return { language, title, reloadAfter: 2, body: troubleBody({ happened, remedy }) }
}

const listOf = (names: ReadonlyArray<string>): Markup =>
  names.length === 0
    ? noMarkup
    : markup`<ul>${names.map((name) => markup`<li>${name}</li>`)}</ul>
`

/**
 * The end of a session without a return address; `connected`: the names of the accounts, `retry`: where it can be tried
 * again.
 */
export const endPage = (
  language: Language,
  { failure, id, network, status }: ConnectSession,
  connected: ReadonlyArray<string>,
  retry: Option.Option<Redacted.Redacted<string>>
): Page => {
  const wording = wordings[language]
  const { failures, troubles } = wording
  if (status === "completed" && Option.isNone(failure)) {
    const { happened, remedy, title } = wording.connected
    const body = markup`<p>${happened(networkTitle(network), connected.length)}</p>
${listOf(connected)}<p>${remedy}</p>`
    return { language, title, body }
  }
  const trouble = Option.match(failure, {
    onNone: () => (status === "expired" ? troubles.link_expired : failures.provider_error),
    onSome: ({ code }) => failures[code]
  })
  const again = Option.match(retry, {
    onNone: () => noMarkup,
    onSome: (link) => markup`<p><a class="button" href="${Redacted.value(link)}">${wording.tryAgain}</a></p>
`
  })
  return {
    language,
    title: trouble.title,
    body: markup`${troubleBody(trouble)}
${listOf(connected)}${again}${reference(wording, id)}`
  }
}

/** What a browser without a session is told; `id`: of the request. */
export const troublePage = (language: Language, trouble: PageTrouble, id: string): Page => {
  const wording = wordings[language]
  const { title, ...said } = wording.troubles[trouble]
  return {
    language,
    title,
    body: markup`${troubleBody(said)}
${reference(wording, id)}`
  }
}

/** The state of a person's request for deletion. */
export const deletionPage = (language: Language, { code, completedAt, createdAt }: DeletionRequest): Page => {
  const { deletion, locale } = wordings[language]
  const timeOf = (at: DateTime.Utc) =>
    markup`<time datetime="${DateTime.formatIso(at)}">${DateTime.formatUtc(at, { locale, dateStyle: "long", timeStyle: "long" })}</time>`
  const done = Option.match(completedAt, {
    onNone: () => noMarkup,
    onSome: (at) => markup`<br>${deletion.completedAt}: ${timeOf(at)}`
  })
  return {
    language,
    title: deletion.title,
    body: markup`<p>${Option.isSome(completedAt) ? deletion.done : deletion.underWay}</p>
<p>${deletion.requestedAt}: ${timeOf(createdAt)}${done}<br>${deletion.code}: ${code}</p>`
  }
}
