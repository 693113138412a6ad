import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type { SocialAccounts } from "../accounts/SocialAccounts.ts"
import type { Hindrance } from "../networks/NetworkConnect.ts"
import type { Workspaces } from "../workspaces/Workspaces.ts"
import type { BrowserSecrets } from "./browserSecrets.ts"
import type { ConnectAttempt, KeptCandidate } from "./ConnectAttempt.ts"
import type { ConnectSession } from "./ConnectSession.ts"

/** The session is over, or over for now: where the browser goes is `returnAddress`, or a page of our own. */
export interface Ended {
  readonly _tag: "Ended"
  readonly session: ConnectSession
}

/** Go to the network; the cookie binds the browser to this attempt. */
export interface Redirect {
  readonly _tag: "Redirect"
  readonly session: ConnectSession
  /** Names the attempt to its browser, which may have cookies of several; no secret. */
  readonly attemptKey: string
  /** The whole address of the network's dialog; it holds the `state`. */
  readonly to: Redacted.Redacted<string>
  readonly cookie: Redacted.Redacted<string>
}

/** An account on the page where the person chooses. */
export interface Choice {
  /** What the form sends. */
  readonly key: string
  readonly name: string
  /** Without `@`. */
  readonly username: Option.Option<string>
  readonly avatarUrl: Option.Option<string>
  /** Why it can't be chosen. */
  readonly hindrance: Option.Option<Hindrance>
  /** Chosen beforehand: the account that is to be connected again, or the only one. */
  readonly isChosen: boolean
}

/** What the browser waits for takes longer than a browser should wait: the same request again gets the outcome. */
export interface Waiting {
  readonly _tag: "Waiting"
}

/** The person chooses, in a form that sends `formToken` with the keys. */
export interface Choosing {
  readonly _tag: "Choosing"
  readonly session: ConnectSession
  readonly attemptKey: string
  readonly workspaceName: string
  readonly choices: ReadonlyArray<Choice>
  /** At most one may be chosen. */
  readonly single: boolean
  readonly formToken: Redacted.Redacted<string>
}

/** Nothing was chosen that can be chosen: the same page again. */
export interface NothingChosen extends Omit<Choosing, "_tag"> {
  readonly _tag: "NothingChosen"
}

interface Ports {
  readonly accounts: SocialAccounts["Service"]
  readonly workspaces: Workspaces["Service"]
  readonly secrets: BrowserSecrets
}

/** Of an account that the network gave no token for, and no reason. */
const noToken: Hindrance = "page_token_missing"

/** Names an attempt by a part of its cookie's digest. */
export const attemptKeyOf = ({ cookieDigest }: Pick<ConnectAttempt, "cookieDigest">): string =>
  cookieDigest.slice(0, 16)

/** The page on which a person chooses, for the browser of a cookie. */
export const makeChoicePage = ({ accounts, secrets, workspaces }: Ports) =>
  Effect.fnUntraced(function* (
    session: ConnectSession,
    attempt: ConnectAttempt,
    candidates: ReadonlyArray<KeptCandidate>,
    cookie: Redacted.Redacted<string>
  ) {
    const workspace = yield* workspaces.find(session.workspaceId)
    const again = yield* Effect.transposeOption(
      Option.map(session.socialAccountId, (id) => accounts.findKept(session.workspaceId, id))
    )
    const before = Option.map(Option.flatten(again), ({ networkAccountId }) => networkAccountId)
    const possible = candidates.filter(({ sealed }) => Option.isSome(sealed))
    const page: Choosing = {
      _tag: "Choosing",
      session,
      attemptKey: attemptKeyOf(attempt),
      workspaceName: Option.match(workspace, { onNone: () => "", onSome: ({ name }) => name }),
      choices: candidates.map(({ avatarUrl, hindrance, name, networkAccountId: key, sealed, username }) => ({
        key,
        name,
        username,
        avatarUrl,
        hindrance: Option.isSome(sealed) ? Option.none() : Option.orElse(hindrance, () => Option.some(noToken)),
        isChosen: Option.isSome(sealed) && (Option.contains(before, key) || possible.length === 1)
      })),
      single: Option.isSome(session.socialAccountId),
      formToken: yield* secrets.formTokenOf(cookie)
    }
    return page
  })
