import type { Network } from "../names.ts"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type * as Result from "effect/Result"
import { HttpClient } from "effect/http/HttpClient"
import { makeDeliveries } from "./deliveries/Deliveries.ts"
import type { Deliveries, DeliverySettings } from "./deliveries/Deliveries.ts"
import type { Ending } from "./faults/faultAnswers.ts"
import type { Faults } from "./faults/Faults.ts"
import type { Ask, Route } from "./Operation.ts"
import { removeApp } from "./control/accountActs.ts"
import type { Callback } from "./control/accountActs.ts"
import { sendCallback } from "./control/metaCallback.ts"
import type { CallbackOutcome } from "./control/metaCallback.ts"
import * as peopleActs from "./control/peopleActs.ts"
import type { PersonWrites, Subscribing, WritingName } from "./control/peopleActs.ts"
import { SandboxApi } from "./control/SandboxApi.ts"
import { loadFile } from "./publishing/loadFile.ts"
import { answersChallenge } from "./deliveries/answersChallenge.ts"
import { isHeard } from "./deliveries/isHeard.ts"
import { webhookEvents } from "./deliveries/webhookBodies.ts"
import type { SandboxApp } from "./oauth/SandboxApps.ts"
import { World } from "./World.ts"
import { standingWords } from "./x/xWords.ts"
import type { Happening, SandboxAccount, SandboxRefused } from "./Writing.ts"

/** What came of an action. */
export interface Done {
  /** The id that the network gave; of an edit on X the new one. */
  readonly id: string
  /** Whether the network tells of it by webhook; of an account that is not subscribed it never does. */
  readonly isTold: boolean
}

type Act<A> = (input: A, faults?: Faults) => Effect.Effect<Done, SandboxRefused>

export interface SandboxSettings extends DeliverySettings {
  /** Makes the ids; another one for every start, or what happens later looks like what came before. */
  readonly seed: number
  readonly accounts: ReadonlyArray<SandboxAccount>
  /** Our app at each network, by which people sign in. Default `sandboxApps`. */
  readonly apps?: Partial<Record<Network, SandboxApp>> | undefined
}

/**
 * The four networks, simulated: people do things, the networks tell by webhook, and do what connectors ask of them
 * (`SandboxRoutes`). All of it is in memory and gone with the process.
 */
export class Sandbox extends Context.Service<
  Sandbox,
  {
    readonly world: World
    /** Tokens, faults, settings, and what was asked. */
    readonly api: SandboxApi
    /** The world's time: the clock that its layer was built with. */
    readonly now: Effect.Effect<DateTime.Utc>
    /** Makes an account known with its token; tokens that it had before go on. */
    readonly connect: (account: SandboxAccount) => Effect.Effect<void>
    /** Begins or ends the webhooks of accounts; how many had another state before. */
    readonly subscribe: (which: Subscribing) => Effect.Effect<number, SandboxRefused>
    readonly comment: Act<PersonWrites>
    readonly message: Act<PersonWrites>
    readonly mention: Act<PersonWrites>
    /** Somebody quotes a post of the account (X). */
    readonly quote: Act<PersonWrites>
    /** The account's people publish a post by hand. */
    readonly post: Act<PersonWrites>
    readonly edit: Act<WritingName & { readonly text: string }>
    readonly remove: Act<WritingName>
    readonly hide: Act<WritingName & { readonly isHidden: boolean }>
    /** A request of a connector; what it does is told by webhook as well. */
    readonly exchange: (
      network: Network,
      route: Route,
      ask: Ask,
      metaAppSecret: Redacted.Redacted<string>
    ) => Effect.Effect<Ending>
    /** Meta calls the host back, as when a person removes the app; what Meta would say of the answer. */
    readonly callBack: (callback: typeof Callback.Type) => Effect.Effect<CallbackOutcome, SandboxRefused>
    readonly release: Deliveries["release"]
    readonly settled: Deliveries["settled"]
    readonly records: Deliveries["records"]
  }
>()("@loopbox/adapters-social/sandbox/Sandbox") {}

/** Whose token it is: an account of Instagram may be reached through a Page. */
const holderOf = (account: SandboxAccount): SandboxAccount =>
  account.throughAccountId === undefined
    ? account
    : { ...account, network: "facebook", accountId: account.throughAccountId }

export const layer = (settings: SandboxSettings): Layer.Layer<Sandbox, never, HttpClient> =>
  Layer.effect(
    Sandbox,
    Effect.gen(function* () {
      const client = yield* HttpClient
      const deliveries = yield* makeDeliveries(client, settings)
      const world = new World(settings.seed)
      const api = new SandboxApi(world, settings.seed, settings.apps)
      // One world has one time, whoever asks: a server's requests may run on another clock.
      const now = Effect.provideService(DateTime.now, Clock.Clock, yield* Clock.Clock)
      const connect = (account: SandboxAccount) =>
        Effect.map(now, (at) => {
          world.connect(account, at)
          const holder = holderOf(account)
          if (holder !== account) {
            api.logins.owners.link(holder.accountId, account.accountId)
            if (Option.isNone(world.findAccount(holder.network, holder.accountId))) world.connect(holder, at)
          }
          api.tokens.know(holder, at)
          if (account.isSubscribed !== undefined) api.subscriptions.set(holder, account.isSubscribed)
        })
      yield* Effect.forEach(settings.accounts, connect)

      const eventsOf = (happening: Happening, { is_edit_only }: Faults) =>
        isHeard(api, happening)
          ? webhookEvents(happening, standingWords(api.readSettings()), world.ids.chance, is_edit_only)
          : []

      const tell = (happening: Happening, faults: Faults) =>
        Effect.map(
          Effect.forEach(eventsOf(happening, faults), (event) => deliveries.send(event, faults)),
          (sent) => sent.length > 0
        )

      /** What a person does; a network that would not let them refuses. */
      const act =
        <A>(
          outcomeOf: (world: World, input: A, at: DateTime.Utc) => Result.Result<Happening, SandboxRefused>
        ): Act<A> =>
        (input, faults = {}) =>
          Effect.gen(function* () {
            const happening = yield* Effect.fromResult(outcomeOf(world, input, yield* now))
            return { id: happening.writing.id, isTold: yield* tell(happening, faults) }
          })

      /** The file that a request names; the network has it before it answers. */
      const load = Effect.fnUntraced(function* ({ loads = [] }: Route, ask: Ask) {
        const address =
          typeof loads === "function" ? loads(ask) : loads.map(ask.text).find((given) => given !== undefined)
        return address === undefined ? Option.none() : yield* loadFile(client, address, yield* settings.webhookUrl)
      })

      return Sandbox.of({
        world,
        api,
        now,
        connect,
        subscribe: (which) => Effect.fromResult(peopleActs.subscribe(world, api.subscriptions, which)),
        comment: act(peopleActs.comment),
        message: act(peopleActs.message),
        mention: act(peopleActs.mention),
        quote: act(peopleActs.quote),
        post: act(peopleActs.post),
        edit: act(peopleActs.edit),
        remove: act(peopleActs.remove),
        hide: act(peopleActs.hide),
        exchange: Effect.fnUntraced(function* (network, route, ask, metaAppSecret) {
          const loaded = yield* Effect.interruptible(load(route, ask))
          const { ending, happened } = api.exchange(network, route, { ...ask, loaded }, metaAppSecret, yield* now)
          if (happened !== undefined) yield* tell(happened, api.readSettings().own_webhooks)
          if (ending._tag !== "Answer" || ending.answer.challenge === undefined) return ending
          const { challenge } = ending.answer
          const isOurs = yield* answersChallenge(client, settings.secrets.x, challenge)
          return isOurs ? { _tag: "Answer" as const, answer: challenge.passed() } : ending
          // Whoever asked may be gone by now; what was done is told all the same.
        }, Effect.uninterruptible),
        callBack: Effect.fnUntraced(function* ({ kind, ...meant }) {
          const { network, personId } = yield* Effect.fromResult(removeApp({ world, api }, meant))
          const isDeletion = kind === "data_deletion"
          const base = (yield* settings.webhookUrl).replace(/\/+$/, "")
          const { secret } = api.logins.apps.of(network)
          return yield* sendCallback(client, {
            url: `${base}/meta/${isDeletion ? "data-deletion" : "deauthorize"}`,
            isDeletion,
            personId,
            secret: secret ?? settings.secrets.meta,
            at: yield* now
          })
        }),
        release: deliveries.release,
        settled: deliveries.settled,
        records: deliveries.records
      })
    })
  )
