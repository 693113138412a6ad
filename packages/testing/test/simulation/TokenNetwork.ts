import { DateTime, Effect, Option, Redacted } from "effect"
import type { Credentials } from "@loopbox/core/accounts/CredentialVault"
import type { AccountAccess, RefreshedToken } from "@loopbox/core/networks/AccountAccess"
import { AuthExpired, Unavailable } from "@loopbox/core/networks/ConnectorErrors"
import type { SocialConnector } from "@loopbox/core/networks/SocialConnector"
import type { Chance } from "./Chance.ts"

/** A token that the network gave: the `n`th of a login. */
interface Issued {
  readonly account: string
  readonly login: number
  readonly n: number
  readonly from: DateTime.Utc
  readonly to: DateTime.Utc
}

/** Networks whose tokens expire: on one a refresh token counts once, on the other a token renews itself. */
export const makeTokenNetwork = (chance: Chance, weather: { readonly isFair: boolean }) => {
  /** By the names of tokens: with what each is renewed. */
  const refreshes = new Map<string, string>()
  const tokens = new Map<string, Issued>()
  /** Tokens that the network has declared dead before their time. */
  const revoked = new Set<string>()
  /** The last token of each login, by account and login. */
  const newest = new Map<string, string>()
  const logins = new Map<string, number>()
  const violations: Array<string> = []
  /** Tokens that are being renewed: well within a lease, so by one process at a time. */
  const underWay = new Set<string>()
  /** Until when a machine slept last, and whether none does any more. */
  const sleep = { until: DateTime.makeUnsafe(0), isOver: false }
  const about = (network: "x" | "instagram") => ({ network, networkCode: Option.none<string>(), detail: "" })
  const dead = (network: "x" | "instagram") =>
    new AuthExpired({ ...about(network), reason: "token", missingScopes: [] })

  const issue = (account: string, login: number, n: number, now: DateTime.Utc): Credentials & { to: DateTime.Utc } => {
    // Longer than a machine sleeps: a token that ends between its renewal and its first use needs a person.
    const to = DateTime.add(now, { seconds: 120 + chance.below(360) })
    const name = `${account}-${login}-${n}`
    tokens.set(name, { account, login, n, from: now, to })
    newest.set(`${account} ${login}`, name)
    const refreshToken = account === "of x" ? Option.some(Redacted.make(`refresh ${name}`)) : Option.none()
    refreshes.set(name, `refresh ${name}`)
    return { accessToken: Redacted.make(name), refreshToken, expiresAt: Option.some(to), to }
  }

  /** Somebody logs in. */
  const logIn = (account: string, now: DateTime.Utc): Credentials => {
    const login = (logins.get(account) ?? 0) + 1
    logins.set(account, login)
    return issue(account, login, 1, now)
  }

  const isGood = (name: string, now: DateTime.Utc) => {
    const token = tokens.get(name)
    return token !== undefined && !revoked.has(name) && DateTime.isLessThan(now, token.to)
  }

  /** Whether it is the last of its login, and half of its life is still to come. */
  const isYoung = (name: string | undefined, now: DateTime.Utc) => {
    const token = tokens.get(name ?? "")
    if (name === undefined || token === undefined || !isGood(name, now)) return false
    const half = (token.from.epochMilliseconds + token.to.epochMilliseconds) / 2
    return newest.get(`${token.account} ${token.login}`) === name && now.epochMilliseconds < half
  }

  /** A call in the name of an account. */
  const call = Effect.fnUntraced(function* ({ accessToken, networkAccountId }: AccountAccess) {
    const [name, now] = [Redacted.value(accessToken), yield* DateTime.now]
    if (tokens.get(name)?.account !== networkAccountId) violations.push(`${name} was used for ${networkAccountId}`)
    const isExpired = !revoked.has(name) && !isGood(name, now)
    if (sleep.isOver && isExpired) violations.push(`${networkAccountId} was called with a token that has expired`)
    if (!isGood(name, now)) return yield* dead(networkAccountId === "of x" ? "x" : "instagram")
    return name
  })

  const renew: SocialConnector["refreshToken"] = Effect.fnUntraced(function* (access, refresh) {
    const { networkAccountId } = access
    const network = networkAccountId === "of x" ? "x" : "instagram"
    const name = Redacted.value(access.accessToken)
    const token = tokens.get(name)
    const fate = weather.isFair ? 9 : chance.below(10)
    const pause = Effect.sleep(chance.below(9_000))
    if (fate > 0 && fate < 4) yield* pause
    const now = yield* DateTime.now
    if (fate === 0) return yield* new Unavailable({ ...about(network), reason: "upstream" })
    if (token === undefined) return yield* dead(network)
    const half = (token.to.epochMilliseconds - token.from.epochMilliseconds) / 2
    if (isGood(name, now) && now.epochMilliseconds < token.from.epochMilliseconds + half - 1)
      violations.push(`${name} was renewed before half of its life`)
    const isLast = newest.get(`${token.account} ${token.login}`) === name
    if (network === "x") {
      const given = Option.getOrUndefined(Option.map(refresh, Redacted.value))
      if (given !== refreshes.get(name)) violations.push(`${name} was renewed with ${given ?? "nothing"}`)
      if (!isLast) return yield* dead(network)
    } else if (!isGood(name, now)) return yield* dead(network)
    const { accessToken, expiresAt, refreshToken: next } = issue(token.account, token.login, token.n + 1, now)
    // One in three answers names no other to renew with: the one that was given stays.
    const isKept = network === "x" && token.n % 3 === 1
    if (isKept) refreshes.set(Redacted.value(accessToken), refreshes.get(name) ?? "")
    const renewed: RefreshedToken = { accessToken, expiresAt, refreshToken: isKept ? Option.none() : next }
    if (fate === 4 || fate === 5) yield* pause
    return Option.some(renewed)
  })
  /** A renewal by one at a time, unless a machine slept between its claim and its call. */
  const refreshToken: SocialConnector["refreshToken"] = (access, refresh) =>
    Effect.gen(function* () {
      const [name, now] = [Redacted.value(access.accessToken), yield* DateTime.now]
      const isExcused = DateTime.isLessThan(now, DateTime.add(sleep.until, { seconds: 60 }))
      if (underWay.has(name) && !isExcused) violations.push(`${name}: a token was renewed by two at a time`)
      underWay.add(name)
      return yield* Effect.ensuring(
        renew(access, refresh),
        Effect.sync(() => underWay.delete(name))
      )
    })
  return { sleep, isGood, isYoung, call, logIn, logins, newest, refreshToken, revoked, tokens, violations }
}

export type TokenNetwork = ReturnType<typeof makeTokenNetwork>
