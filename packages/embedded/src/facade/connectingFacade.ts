import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Struct from "effect/Struct"
import { WorkspaceScope } from "@loopbox/core/access/InboxScope"
import type { ConnectSession } from "@loopbox/core/connecting/ConnectSession"
import type { Choice, ConnectSessions } from "@loopbox/core/connecting/ConnectSessions"
import { returnAddress } from "@loopbox/core/connecting/returnAddress"
import type { ConnectedAccounts } from "@loopbox/core/health/ConnectedAccounts"
import type { Feature } from "@loopbox/core/networks/Feature"
import type { Network } from "@loopbox/core/networks/Source"
import type { CallOptions, Run } from "./run.ts"
import { type Plain, toPlain } from "./toPlain.ts"
import { toWorkspaceId } from "./toWorkspaceId.ts"

export interface PlainConnectSession extends Plain<Omit<ConnectSession, "login">> {}

/** A session with the secret part of its link, which only the person's browser may know. */
export interface PlainLinkedSession {
  readonly session: PlainConnectSession
  readonly linkToken: string
}

/**
 * Where the person's browser goes next. Its cookies are yours to set and to read: one for each attempt, `HttpOnly`,
 * `SameSite=Lax`, for 30 minutes, with `attemptKey` in its name.
 *
 * - `redirect`: set the cookie, and send the browser to the network
 * - `choosing`, `nothing_chosen`: show the choices in a form that sends `formToken` and the keys that were ticked
 * - `ended`: send it to `returnTo`, or show the outcome
 * - `waiting`: let it make the same request again
 */
export type PlainConnectStep =
  | { readonly step: "redirect"; readonly to: string; readonly attemptKey: string; readonly cookie: string }
  | {
      readonly step: "choosing" | "nothing_chosen"
      readonly session: PlainConnectSession
      readonly attemptKey: string
      readonly workspaceName: string
      readonly choices: ReadonlyArray<Plain<Choice>>
      /** At most one may be chosen. */
      readonly single: boolean
      readonly formToken: string
    }
  | { readonly step: "ended"; readonly session: PlainConnectSession; readonly returnTo: string | null }
  | { readonly step: "waiting" }

/** Sessions in which a person connects accounts in a browser (api-2.md §11), for pages of your own. */
export interface ConnectingFacade {
  readonly create: (
    request: {
      readonly workspaceId: string
      readonly network: Network
      readonly externalUserId?: string | null | undefined
      readonly returnUrl?: string | null | undefined
      /** All, if absent or empty. */
      readonly features?: ReadonlyArray<Feature> | undefined
      /** The account that is to be connected again. */
      readonly socialAccountId?: string | null | undefined
    },
    options?: CallOptions
  ) => Promise<PlainLinkedSession>
  /** A session in which an account that is there is connected again, by its network and for its owner. */
  readonly reconnect: (
    workspaceId: string,
    accountId: string,
    request?: { readonly returnUrl?: string | null | undefined },
    options?: CallOptions
  ) => Promise<PlainLinkedSession>
  readonly find: (workspaceId: string, id: string, options?: CallOptions) => Promise<PlainLinkedSession>
  /** The person opens the link. `callbackUrl`: where the network sends the browser back. */
  readonly begin: (
    linkToken: string,
    request: { readonly callbackUrl: string; readonly cookies?: ReadonlyArray<string> | undefined },
    options?: CallOptions
  ) => Promise<PlainConnectStep>
  /** The browser comes back with the members of its query, and with the cookies of all its attempts. */
  readonly callback: (
    network: Network,
    request: { readonly query: Readonly<Record<string, string>>; readonly cookies: ReadonlyArray<string> },
    options?: CallOptions
  ) => Promise<PlainConnectStep>
  /** The choices of an attempt again, by its cookie. */
  readonly choices: (cookie: string | null, options?: CallOptions) => Promise<PlainConnectStep>
  readonly choose: (
    request: { readonly cookie: string | null; readonly formToken: string; readonly keys: ReadonlyArray<string> },
    options?: CallOptions
  ) => Promise<PlainConnectStep>
}

const wholeOf = (given: string) =>
  Effect.map(toWorkspaceId(given), (workspaceId) => new WorkspaceScope({ workspaceId }))

const toPlainSession = ({ login: _login, ...session }: ConnectSession): PlainConnectSession => toPlain({ ...session })

type Linked = Effect.Success<ReturnType<ConnectSessions["Service"]["create"]>>
const toLinked = ({ linkToken, session }: Linked): PlainLinkedSession => ({
  session: toPlainSession(session),
  linkToken: Redacted.value(linkToken)
})

type Outcome =
  | Effect.Success<ReturnType<ConnectSessions["Service"]["begin" | "callback" | "choices"]>>
  | Effect.Success<ReturnType<ConnectSessions["Service"]["choose"]>>

const toStep = (outcome: Outcome): PlainConnectStep => {
  switch (outcome._tag) {
    case "Redirect": {
      const { attemptKey, cookie, to } = outcome
      return { step: "redirect", to: Redacted.value(to), attemptKey, cookie: Redacted.value(cookie) }
    }
    case "Choosing":
    case "NothingChosen":
      return {
        step: outcome._tag === "Choosing" ? "choosing" : "nothing_chosen",
        ...Struct.pick(outcome, ["attemptKey", "workspaceName", "single"]),
        session: toPlainSession(outcome.session),
        choices: outcome.choices.map((choice) => toPlain(choice)),
        formToken: Redacted.value(outcome.formToken)
      }
    case "Ended":
      return {
        step: "ended",
        session: toPlainSession(outcome.session),
        returnTo: Option.getOrNull(returnAddress(outcome.session))
      }
    case "Waiting":
      return { step: "waiting" }
  }
}

const secret = (text: string | null) => Option.map(Option.fromNullOr(text), (one) => Redacted.make(one))

export const makeConnectingFacade = (
  sessions: ConnectSessions["Service"],
  accounts: ConnectedAccounts["Service"],
  run: Run
): ConnectingFacade => ({
  create: ({ externalUserId, features = [], network, returnUrl, socialAccountId, workspaceId }, options) =>
    run(
      Effect.flatMap(wholeOf(workspaceId), (scope) =>
        sessions.create(scope, {
          network,
          features,
          externalUserId: Option.fromNullishOr(externalUserId),
          returnUrl: Option.fromNullishOr(returnUrl),
          socialAccountId: Option.fromNullishOr(socialAccountId)
        })
      ).pipe(Effect.map(toLinked)),
      options
    ),
  reconnect: (workspaceId, accountId, { returnUrl } = {}, options) =>
    run(
      Effect.gen(function* () {
        const scope = yield* wholeOf(workspaceId)
        const account = yield* accounts.find(scope, accountId)
        const linked = yield* sessions.create(scope, {
          network: account.network,
          features: [],
          externalUserId: Option.none(),
          returnUrl: Option.fromNullishOr(returnUrl),
          socialAccountId: Option.some(account.id)
        })
        return toLinked(linked)
      }),
      options
    ),
  find: (workspaceId, id, options) =>
    run(Effect.flatMap(wholeOf(workspaceId), (scope) => sessions.find(scope, id)).pipe(Effect.map(toLinked)), options),
  begin: (linkToken, { callbackUrl, cookies = [] }, options) =>
    run(
      Effect.map(
        sessions.begin(
          Redacted.make(linkToken),
          () => callbackUrl,
          cookies.map((one) => Redacted.make(one))
        ),
        toStep
      ),
      options
    ),
  callback: (network, { cookies, query }, options) =>
    run(
      Effect.map(
        sessions.callback(
          network,
          query,
          cookies.map((one) => Redacted.make(one))
        ),
        toStep
      ),
      options
    ),
  choices: (cookie, options) => run(Effect.map(sessions.choices(secret(cookie)), toStep), options),
  choose: ({ cookie, formToken, keys }, options) =>
    run(Effect.map(sessions.choose(secret(cookie), Redacted.make(formToken), keys), toStep), options)
})
