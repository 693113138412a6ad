import { Effect, Option, Stream } from "effect"
import { IdempotencyKey } from "@loopbox/core/kernel/IdempotencyKey"
import type { Plan } from "@loopbox/core/workspaces/Plan"
import type { Workspace } from "@loopbox/core/workspaces/Workspace"
import { animatedGif } from "../../src/fakes/gifSamples.ts"
import { textBytes } from "../../src/fixtures/mediaFixtures.ts"
import { samples } from "../../src/fixtures/mediaSamples.ts"
import { insist } from "./invariants.ts"
import type { World } from "./World.ts"

const gifs = [animatedGif([10, 10], { width: 2, height: 2 }), animatedGif([3], { width: 3, height: 1 })]
/** A verdict each: no picture at all, and a PNG, which is no GIF. */
const files = [...gifs, ...gifs, textBytes("GIF89a, or so it says"), samples["image/png"]["PNG"] ?? new Uint8Array()]

const pickWorkspace = ({ chance, state }: World) => chance.pick(Array.from(state.workspaces.values()))

/** Mostly what is the workspace's own, and sometimes anything that is there. */
const pickOf = <A extends { readonly workspaceId: string }>({ chance }: World, all: Iterable<A>, { id }: Workspace) => {
  const items = Array.from(all)
  return chance.pick(chance.isOneIn(8) ? items : items.filter(({ workspaceId }) => workspaceId === id))
}

const pickMedia = (world: World, workspace: Workspace) =>
  pickOf(
    world,
    Array.from(world.state.media.values(), ({ media }) => media),
    workspace
  )

/** What a client saw: a word for the answer, or the refusal's name. */
const seen = <A>(what: string, call: Effect.Effect<A, { readonly _tag: string }>, word: (answer: A) => string) =>
  Effect.match(call, {
    onFailure: ({ _tag }) => `${what}: ${_tag}`,
    onSuccess: (answer) => `${what}: ${word(answer)}`
  })

const bytesOf = ({ chance }: World) => {
  const bytes = Stream.make(chance.pick(files) ?? new Uint8Array())
  return chance.isOneIn(10) ? Stream.concat(bytes, Stream.fail({ _tag: "Broken" as const })) : bytes
}

const upload = (world: World, workspace: Workspace) =>
  seen(
    "upload",
    Effect.suspend(() =>
      world.library.upload({
        workspace,
        declaredType: Option.none(),
        filename: Option.none(),
        bytes: bytesOf(world)
      })
    ),
    ({ id }) => id
  )

const reserve = (world: World, workspace: Workspace) =>
  seen(
    "reserve",
    world.library
      .reserve({
        workspaceId: workspace.id,
        contentType: "image/gif",
        filename: Option.none(),
        sizeBytes: Option.none()
      })
      .pipe(
        Effect.flatMap(({ id }) =>
          // Two at once, of which one may win.
          Effect.all(
            [1, 2].map(() => Effect.exit(world.library.finish(id, bytesOf(world)))),
            { concurrency: 2 }
          )
        )
      ),
    (exits) => {
      const won = exits.filter(({ _tag }) => _tag === "Success").length
      insist(won <= 1, "one reservation was finished twice")
      return String(won)
    }
  )

const submit = (world: World, workspace: Workspace) =>
  Effect.suspend(() => {
    const { chance, conversions, ledger } = world
    const media = pickMedia(world, workspace)
    if (media === undefined) return Effect.succeed("submit: nothing to submit")
    const idempotencyKey = chance.isOneIn(2) ? Option.none() : Option.some(IdempotencyKey.make(`k${chance.below(6)}`))
    const backgroundColor = chance.isOneIn(5) ? Option.some("#000000") : Option.none()
    const call = conversions
      .submit({ workspaceId: workspace.id, gifMediaId: Option.some(media.id), backgroundColor, idempotencyKey })
      .pipe(
        Effect.tapErrorTag("IdempotencyConflict", ({ jobId }) =>
          Effect.sync(() => {
            const earlier = world.state.jobs.get(jobId)?.job
            insist(earlier?.workspaceId === workspace.id, "refused by another workspace's key", earlier)
          })
        )
      )
    return seen("submit", call, (job) => {
      insist(job.workspaceId === workspace.id && job.task.gifMediaId === media.id, "a submit answered another job", job)
      const isAsked = Option.isNone(backgroundColor) || job.task.backgroundColor === backgroundColor.value
      insist(isAsked, "a submit answered a job of another colour", job)
      insist(media.workspaceId === workspace.id, "a submit read another workspace's file", job)
      if (Option.isSome(idempotencyKey) && ledger.jobs.has(job.id)) {
        insist(ledger.keys.get(`${workspace.id} ${idempotencyKey.value}`) === job.id, "a key answered another job", job)
      }
      return job.id
    })
  })

const cancel = (world: World, workspace: Workspace) =>
  Effect.suspend(() => {
    const job = pickOf(world, world.ledger.jobs.values(), workspace)
    if (job === undefined) return Effect.succeed("cancel: no job")
    return seen("cancel", world.conversions.cancel(workspace.id, job.id), (failed) => {
      insist(failed.workspaceId === workspace.id, "a cancel reached another workspace", failed)
      return failed.id
    })
  })

const remove = (world: World, workspace: Workspace) =>
  Effect.suspend(() => {
    const media = pickMedia(world, workspace)
    if (media === undefined) return Effect.succeed("remove: nothing")
    return seen("remove", world.library.remove(workspace.id, media.id), (removed) => {
      insist(removed.workspaceId === workspace.id, "a delete reached another workspace", removed)
      return removed.id
    })
  })

const look = (world: World, workspace: Workspace) =>
  seen(
    "look",
    Effect.all([
      world.conversions.list(workspace.id, Option.none(), { limit: 100, after: Option.none() }),
      world.library.list(workspace.id, { limit: 100, after: Option.none() })
    ]),
    ([jobs, media]) => {
      for (const item of [...jobs.items, ...media.items]) {
        insist(item.workspaceId === workspace.id, "a list shows another workspace", item)
      }
      return `${jobs.items.length} jobs, ${media.items.length} files`
    }
  )

const changePlan = (world: World, workspace: Workspace) => {
  const plan: Plan = world.chance.pick(["free", "api", "enterprise"] as const) ?? "free"
  return seen("plan", world.administration.updateWorkspace(workspace.id, { plan }), () => plan)
}

/** Ends a workspace; what the ledger knows of it is no longer asked for. */
const erase = (world: World, workspace: Workspace) =>
  seen("erase", world.administration.eraseWorkspace(workspace.id), () => workspace.id).pipe(
    Effect.ensuring(
      Effect.sync(() => {
        if (world.state.workspaces.has(workspace.id)) return
        for (const job of world.ledger.jobs.values()) {
          if (job.workspaceId === workspace.id) world.ledger.jobs.delete(job.id)
        }
      })
    )
  )

export const addWorkspace = (world: World) => {
  const { chance } = world
  return world.administration.createWorkspace({
    name: "Simulated",
    plan: "enterprise",
    limits: { activeJobs: Option.some(1 + chance.below(3)), conversionsPer24Hours: Option.some(3 + chance.below(8)) }
  })
}

const actions = [upload, upload, reserve, submit, submit, submit, submit, cancel, remove, look] as const

/** One call of some client. */
export const clientCall = (world: World) =>
  Effect.suspend(() => {
    const { chance } = world
    const workspace = pickWorkspace(world)
    if (workspace === undefined) return seen("create", addWorkspace(world), ({ id }) => id)
    const isSpared = world.spared.has(workspace.id)
    if (!isSpared && chance.isOneIn(250)) return erase(world, workspace)
    if (!isSpared && chance.isOneIn(60)) return changePlan(world, workspace)
    return (chance.pick(actions) ?? look)(world, workspace)
  })
