import type { Network } from "../../names.ts"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import { ApiFaults } from "../faults/ApiFaults.ts"
import type { ApiFault } from "../faults/ApiFaults.ts"
import { endingOf } from "../faults/faultAnswers.ts"
import type { Ending } from "../faults/faultAnswers.ts"
import { graphError } from "../graph/graphAnswers.ts"
import { graphRefusal } from "../graph/graphRefusal.ts"
import type { Ask, Operation, Route, SandboxAnswer, Scene } from "../Operation.ts"
import { RateLimits } from "../faults/RateLimits.ts"
import { defaultSettings } from "../Settings.ts"
import type { Settings } from "../Settings.ts"
import { Containers } from "../publishing/Containers.ts"
import { PageMedia } from "../publishing/PageMedia.ts"
import { XUploads } from "../publishing/XUploads.ts"
import { Logins } from "../oauth/Logins.ts"
import type { SandboxApp } from "../oauth/SandboxApps.ts"
import { Subscriptions } from "../Subscriptions.ts"
import { Tokens } from "../Tokens.ts"
import type { Grant } from "../Tokens.ts"
import type { World } from "../World.ts"
import type { Happening } from "../Writing.ts"
import { xRefusal } from "../x/xRefusal.ts"

/** A request that a network got. */
export interface AskedRequest {
  readonly at: DateTime.Utc
  readonly network: Network
  /** The operation's name. */
  readonly endpoint: string
  readonly method: Ask["method"]
  readonly path: string
  /** Without tokens, proofs and secrets. */
  readonly inputs: Readonly<Record<string, unknown>>
  /** Whose token it carried; none where it carried none that is known. */
  readonly accountId: Option.Option<string>
  readonly fault: Option.Option<string>
  /** What was answered; none where nothing was. */
  readonly status: Option.Option<number>
}

/** What came of a request. */
export interface Exchange {
  readonly ending: Ending
  readonly happened: Happening | undefined
}

const mostRequests = 10_000

/** The bearer of the header, which Meta's host of uploads calls OAuth, or the token that Meta's networks take as a parameter too. */
const tokenOf = (network: Network, { authorization, text }: Ask): string | undefined => {
  const bearer = authorization === undefined ? undefined : /^(?:Bearer|OAuth) (.+)$/i.exec(authorization)?.[1]
  return bearer ?? (network === "x" ? undefined : text("access_token"))
}

/** The networks' APIs over one world: tokens, budgets, faults, and a record of what was asked. Synchronous, so each request is one step. */
export class SandboxApi {
  readonly faults: ApiFaults
  readonly tokens: Tokens
  readonly subscriptions = new Subscriptions()
  readonly logins: Logins
  private readonly containers = new Containers()
  private readonly pageMedia = new PageMedia()
  private readonly xUploads = new XUploads()
  private readonly limits = new RateLimits()
  private requests: Array<AskedRequest> = []
  private settings: Settings = defaultSettings
  private readonly world: World

  constructor(world: World, seed: number, apps: Partial<Record<Network, SandboxApp>> = {}) {
    this.world = world
    this.logins = new Logins(world, seed, apps)
    this.tokens = new Tokens(seed)
    this.faults = new ApiFaults(world.ids.chance)
  }

  readonly readSettings = (): Settings => this.settings

  readonly changeSettings = (change: Partial<Settings>): Settings => {
    this.settings = { ...this.settings, ...change }
    this.world.lag_ms = this.settings.lag_ms
    return this.settings
  }

  /** The last ten thousand, oldest first. */
  readonly listRequests = (): ReadonlyArray<AskedRequest> => [...this.requests]

  readonly forgetRequests = (): void => {
    this.requests = []
  }

  /** A request, from its token to its answer. */
  readonly exchange = (
    network: Network,
    route: Route,
    ask: Ask,
    metaAppSecret: Redacted.Redacted<string>,
    at: DateTime.Utc
  ): Exchange => {
    const scene: Scene = { ...this.standing(), metaAppSecret, at }
    const { settings, tokens } = scene
    const grant = Option.flatMap(Option.fromUndefinedOr(tokenOf(network, ask)), (token) => tokens.find(network, token))
    const operation = route.pick(scene, ask, grant)
    const accountId = Option.map(grant, (one) => one.accountId)
    const fault = this.faults.take(network, operation.name, Option.getOrUndefined(accountId))
    const budget = this.limits.count(
      network,
      operation.name,
      Option.getOrElse(accountId, () => "nobody"),
      { account: settings.meta_calls, app: settings.meta_app_calls },
      at
    )
    let happened: Happening | undefined
    const carryOut = (): SandboxAnswer => {
      const answer =
        budget.refusal ?? answerOf(network, operation, { ...scene, failsLater: failureOf(fault) }, ask, grant)
      happened = answer.happened
      return { ...answer, headers: { ...budget.headers, ...answer.headers } }
    }
    const ending: Ending = fault === undefined ? { _tag: "Answer", answer: carryOut() } : endingOf(fault, carryOut, at)
    this.note({
      at,
      network,
      endpoint: operation.name,
      method: ask.method,
      path: ask.path,
      inputs: ask.inputs,
      accountId,
      fault: Option.map(Option.fromUndefinedOr(fault), ({ kind }) => kind),
      status: ending._tag === "Answer" ? Option.some(ending.answer.status) : Option.none()
    })
    if (ending._tag !== "Answer") return { ending, happened }
    if (ending.answer.hangs === true) return { ending: { _tag: "Hang" }, happened }
    const headers = { ...budget.headers, ...ending.answer.headers }
    return { ending: { _tag: "Answer", answer: { ...ending.answer, headers } }, happened }
  }

  private standing(): Omit<Scene, "metaAppSecret" | "at"> {
    const { containers, logins, pageMedia, settings, subscriptions, tokens, world, xUploads } = this
    return {
      world,
      tokens,
      containers,
      pageMedia,
      xUploads,
      subscriptions,
      logins,
      settings,
      failsLater: Option.none()
    }
  }

  private note(request: AskedRequest): void {
    this.requests.push(request)
    if (this.requests.length > mostRequests) this.requests.shift()
  }
}

/** Why what a request makes fails while it is processed, if that was ordered. */
const failureOf = (fault: ApiFault | undefined): Option.Option<string> =>
  fault?.kind === "fails_later" ? Option.some(fault.message ?? String(fault.subcode ?? "UNKNOWN")) : Option.none()

/** The truth: what the network answers to whoever may ask. */
const answerOf = (
  network: Network,
  operation: Operation,
  scene: Scene,
  ask: Ask,
  grant: Option.Option<Grant>
): SandboxAnswer => {
  if ("openAnswer" in operation) return operation.openAnswer(scene, ask)
  const refusal = (network === "x" ? xRefusal : graphRefusal)(scene, ask, grant, operation.scope)
  if (refusal !== undefined || Option.isNone(grant)) return refusal ?? { status: 404, body: "" }
  const { accountId } = grant.value
  if ("personAnswer" in operation) {
    const person = scene.logins.owners.find(network, accountId)
    return person === undefined
      ? graphError(400, 100, undefined, "(#100) A user access token is required to request this resource.")
      : operation.personAnswer({ ...scene, person, grant: grant.value }, ask)
  }
  return Option.match(scene.world.findAccount(network, accountId), {
    onNone: () => graphError(400, 210, undefined, "(#210) A page access token is required to request this resource."),
    onSome: (account) => operation.answer({ ...scene, account, grant: grant.value }, ask)
  })
}
