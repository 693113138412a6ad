import { supervised } from "@loopbox/core/kernel/lease/supervised"
import type { Network } from "../names.ts"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Sandbox } from "./Sandbox.ts"
import type { Done } from "./Sandbox.ts"
import type { SandboxRefused } from "./Writing.ts"

interface Written {
  readonly network: Network
  readonly id: string
}

/** What one person does, given what was done before, newest first. */
type Step = (
  sandbox: Sandbox["Service"],
  before: ReadonlyArray<Written>
) => readonly [Network, Effect.Effect<Done, SandboxRefused>]

const comment =
  (network: Network, from: string, text: string): Step =>
  (sandbox) => [network, sandbox.comment({ network, from, text })]

const message =
  (network: "instagram" | "facebook", from: string, text: string): Step =>
  (sandbox) => [network, sandbox.message({ network, from, text })]

const mention =
  (network: "x" | "instagram", from: string, text: string): Step =>
  (sandbox) => [network, sandbox.mention({ network, from, text })]

/** Comments on the account's post and names it, without which the account may not answer on X. */
const commentNaming =
  (network: "x", from: string, text: (handle: string) => string): Step =>
  (sandbox) => [
    network,
    sandbox.comment({ network, from, text: text(`@${sandbox.world.findAccounts(network)[0]?.username ?? ""}`) })
  ]

/** Answers what was last written on the network. */
const answer =
  (network: Network, from: string, text: string): Step =>
  (sandbox, before) => [
    network,
    sandbox.comment({ network, from, text, parentId: before.find((one) => one.network === network)?.id })
  ]

/** The author of the newest writing on the network has second thoughts. */
const edit =
  (network: "facebook" | "x", text: string): Step =>
  (sandbox, before) => [
    network,
    sandbox.edit({ network, id: before.find((one) => one.network === network)?.id ?? "", text })
  ]

const remove =
  (network: "facebook" | "threads"): Step =>
  (sandbox, before) => [
    network,
    sandbox.remove({ network, id: before.find((one) => one.network === network)?.id ?? "" })
  ]

/** An afternoon of a small shop, so that an inbox fills while one watches. */
const script: ReadonlyArray<Step> = [
  comment("instagram", "Mira Kovac", "Is the blue one back in stock? 💙"),
  message("facebook", "Tom Becker", "Hi, do you ship to Austria?"),
  mention("x", "Kai Lund", "Anyone else waiting for the restock?"),
  answer("instagram", "Jo West", "Following, I want one too"),
  comment("threads", "Ida Holm", "The new packaging is lovely"),
  comment("facebook", "Ada Lind", "How much is the large size?"),
  edit("facebook", "How much is the large size? And the small one?"),
  message("instagram", "Mira Kovac", "I just asked under the photo as well, sorry!"),
  commentNaming("x", "Lea Sommer", (handle) => `Mine arrived today, thank you ${handle} & <3`),
  answer("facebook", "Nils Berg", "32 last time I looked"),
  message("facebook", "Tom Becker", "Vienna, to be exact."),
  comment("threads", "Uma Patel", "Wrong thread, never mind"),
  remove("threads"),
  mention("instagram", "Jo West", "")
]

/**
 * People who go on with the script, over and over, until `atMost` steps are done: the first ones soon after each other,
 * the later ones rarely. Steps of a network wait, in their order, until there is an account on it, while
 * there is something to do on others. A step that no network would allow is left out.
 */
export const layer = (
  options: {
    /** Between two steps once the script was played. Default 1 minute. */
    readonly every?: Duration.Input | undefined
    /** Between two steps of the first time. Default 4 seconds. */
    readonly atFirst?: Duration.Input | undefined
    /** Default 1,000. */
    readonly atMost?: number | undefined
  } = {}
): Layer.Layer<never, never, Sandbox> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const sandbox = yield* Sandbox
      const { atFirst = "4 seconds", atMost = 1_000, every = "1 minute" } = options
      const before: Array<Written> = []
      let left = [...script]
      let step = 0
      const isPossible = (act: Step) => sandbox.world.findAccounts(act(sandbox, before)[0]).length > 0
      const takeStep = Effect.gen(function* () {
        if (step >= atMost) return yield* Effect.never
        yield* Effect.sleep(step < script.length ? atFirst : every)
        if (!left.some(isPossible)) left = [...script]
        const act = left.find(isPossible)
        // Nobody has connected an account yet.
        if (act === undefined) return
        left = left.filter((one) => one !== act)
        step += 1
        const [network, doing] = act(sandbox, before)
        const done = yield* Effect.option(doing)
        if (done._tag === "Some") before.unshift({ network, id: done.value.id })
        before.splice(script.length)
      })
      yield* supervised("sandbox.life", takeStep)
    })
  )
