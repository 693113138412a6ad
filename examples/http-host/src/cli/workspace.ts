import { plans } from "@loopbox/core/workspaces/Plan"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { CommandFailed } from "../CommandFailed.ts"
import { jsonFlag, print, printFields, printJson, printRows } from "./output.ts"

/** Loaded only when a command runs, so that `--help` answers at once. */
const adminClient = Effect.promise(() => import("./adminClient.ts"))

export const workspaceArgument = Argument.String("workspace").pipe(Argument.withDescription("The workspace's id: ws_…"))

const limitFlags = {
  activeJobs: Flag.Int("active-jobs").pipe(
    Flag.optional,
    Flag.withDescription("Contract: conversions queued or running at once (enterprise)")
  ),
  conversionsPer24Hours: Flag.Int("conversions-per-24h").pipe(
    Flag.optional,
    Flag.withDescription("Contract: conversions in any 24 hours (enterprise)")
  )
}

const limitsBody = (flags: {
  readonly activeJobs: Option.Option<number>
  readonly conversionsPer24Hours: Option.Option<number>
}) => {
  const limits = {
    ...Option.match(flags.activeJobs, { onNone: () => ({}), onSome: (active_jobs) => ({ active_jobs }) }),
    ...Option.match(flags.conversionsPer24Hours, {
      onNone: () => ({}),
      onSome: (gif_conversions_per_24h) => ({ gif_conversions_per_24h })
    })
  }
  return Object.keys(limits).length === 0 ? {} : { limits }
}

const create = Command.make(
  "create",
  {
    name: Flag.String("name").pipe(Flag.withDescription("What it is called")),
    plan: Flag.Literals("plan", plans).pipe(Flag.withDefault("free"), Flag.withDescription("Its plan (free)")),
    ...limitFlags,
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ json, name, plan, ...limits }) {
    const { callAdmin } = yield* adminClient
    const workspace = yield* callAdmin({
      method: "POST",
      path: "/workspaces",
      body: { name, plan, ...limitsBody(limits) }
    })
    yield* json ? printJson(workspace) : printFields(workspace)
  })
).pipe(Command.withDescription("Make a workspace"))

const list = Command.make(
  "list",
  { json: jsonFlag },
  Effect.fnUntraced(function* ({ json }) {
    const { listAdmin } = yield* adminClient
    const workspaces = yield* listAdmin("/workspaces")
    yield* json ? printJson(workspaces) : printRows(["id", "name", "plan", "created_at"], workspaces)
  })
).pipe(Command.withDescription("List the workspaces, newest first"))

const update = Command.make(
  "update",
  {
    workspace: workspaceArgument,
    name: Flag.String("name").pipe(Flag.optional, Flag.withDescription("Its new name")),
    plan: Flag.Literals("plan", plans).pipe(Flag.optional, Flag.withDescription("Its new plan")),
    ...limitFlags,
    clearLimits: Flag.Boolean("clear-limits").pipe(
      Flag.withDefault(false),
      Flag.withDescription("Go back to the plan's limits")
    ),
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ clearLimits, json, name, plan, workspace, ...limits }) {
    const { callAdmin, segment } = yield* adminClient
    const body = {
      ...Option.match(name, { onNone: () => ({}), onSome: (name) => ({ name }) }),
      ...Option.match(plan, { onNone: () => ({}), onSome: (plan) => ({ plan }) }),
      ...(clearLimits ? { limits: { active_jobs: null, gif_conversions_per_24h: null } } : limitsBody(limits))
    }
    const changed = yield* callAdmin({ method: "PATCH", path: `/workspaces/${segment(workspace)}`, body })
    yield* json ? printJson(changed) : printFields(changed)
  })
).pipe(Command.withDescription("Change a workspace's name, plan or limits"))

const erase = Command.make(
  "erase",
  {
    workspace: workspaceArgument,
    yes: Flag.Boolean("yes").pipe(Flag.withDefault(false), Flag.withDescription("Really erase it")),
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ json, workspace, yes }) {
    if (!yes) {
      return yield* new CommandFailed({
        message: `This erases everything of ${workspace}, files included, for good. Say it again with --yes.`
      })
    }
    const { callAdmin, segment } = yield* adminClient
    yield* callAdmin({ method: "DELETE", path: `/workspaces/${segment(workspace)}` })
    yield* json ? printJson({ id: workspace, erased: true }) : print(`${workspace} is erased.`)
  })
).pipe(Command.withDescription("Erase a workspace and all that is in it"))

export const workspaceCommand = Command.make("workspace").pipe(
  Command.withDescription("Make, list, change and erase workspaces"),
  Command.withSubcommands([create, list, update, erase])
)
