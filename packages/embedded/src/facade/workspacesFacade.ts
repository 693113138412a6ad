import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Administration } from "@loopbox/core/access/Administration"
import type { Plan } from "@loopbox/core/workspaces/Plan"
import type { Workspace } from "@loopbox/core/workspaces/Workspace"
import { type ListRequest, toPageRequest } from "./listRequest.ts"
import { type PlainPage, type PlainWorkspace, toPlainPage } from "./plain.ts"
import type { CallOptions, Run } from "./run.ts"
import { toPlain } from "./toPlain.ts"

export interface WorkspacesFacade {
  readonly create: (
    workspace: {
      readonly name: string
      readonly plan: Plan
      readonly limits?: {
        readonly activeJobs?: number | null | undefined
        readonly conversionsPer24Hours?: number | null | undefined
      }
    },
    options?: CallOptions
  ) => Promise<PlainWorkspace>
  readonly find: (id: string, options?: CallOptions) => Promise<PlainWorkspace>
  readonly list: (request?: ListRequest, options?: CallOptions) => Promise<PlainPage<PlainWorkspace>>
  /** Erases all data of the workspace, including bytes. */
  readonly erase: (id: string, options?: CallOptions) => Promise<void>
}

export const makeWorkspacesFacade = (administration: Administration["Service"], run: Run): WorkspacesFacade => ({
  create: ({ limits, name, plan }, options) =>
    run(
      Effect.map(
        administration.createWorkspace({
          name,
          plan,
          limits: {
            activeJobs: Option.fromNullishOr(limits?.activeJobs),
            conversionsPer24Hours: Option.fromNullishOr(limits?.conversionsPer24Hours)
          }
        }),
        toPlain
      ),
      options
    ),
  find: (id, options) => run(Effect.map(administration.findWorkspace(id), toPlain), options),
  list: (request = {}, options) =>
    run(
      Effect.map(Effect.flatMap(toPageRequest(request), administration.listWorkspaces), (page) =>
        toPlainPage(page, toPlain<Workspace>)
      ),
      options
    ),
  erase: (id, options) => run(administration.eraseWorkspace(id), options)
})
