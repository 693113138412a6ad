import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Administration, WorkspaceChange } from "@loopbox/core/access/Administration"
import type { Audit } from "@loopbox/core/audit/Audit"
import type { AuditAction, AuditEvent } from "@loopbox/core/audit/AuditEvent"
import type { Usage, WorkspaceUsage } from "@loopbox/core/usage/Usage"
import type { Plan } from "@loopbox/core/workspaces/Plan"
import type { Workspace } from "@loopbox/core/workspaces/Workspace"
import { type ListRequest, toPageRequest } from "./listRequest.ts"
import { type PlainPage, type PlainWorkspace, toPlainPage } from "./plain.ts"
import type { CallOptions, Run } from "./run.ts"
import { type Plain, toPlain } from "./toPlain.ts"

/** A change, as plain data. */
export interface PlainAuditEvent extends Plain<AuditEvent> {}

export interface AuditListRequest extends ListRequest {
  /** The id of a key or member. */
  readonly actor?: string | null | undefined
  readonly action?: AuditAction | null | undefined
  /** The id of what was changed. */
  readonly target?: string | null | undefined
}

/** What a workspace uses, as plain data. */
export interface PlainUsage extends Plain<WorkspaceUsage> {}

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
  /** What the workspace uses now, and what it may use; `resetAt` is null while one more conversion is admitted. */
  readonly usage: (id: string, options?: CallOptions) => Promise<PlainUsage>
  /** What was changed in the workspace, by whom, newest first; filters are exact. */
  readonly auditEvents: (
    id: string,
    request?: AuditListRequest,
    options?: CallOptions
  ) => Promise<PlainPage<PlainAuditEvent>>
  readonly list: (request?: ListRequest, options?: CallOptions) => Promise<PlainPage<PlainWorkspace>>
  /** `limits` merges, null clears one. Only an enterprise workspace has limits of its own. */
  readonly update: (id: string, change: WorkspaceChange, options?: CallOptions) => Promise<PlainWorkspace>
  /** Erases all data of the workspace, including bytes. */
  readonly erase: (id: string, options?: CallOptions) => Promise<void>
}

export const makeWorkspacesFacade = (
  administration: Administration["Service"],
  { audit, usage }: { readonly audit: Audit["Service"]; readonly usage: Usage["Service"] },
  run: Run
): WorkspacesFacade => ({
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
  usage: (id, options) =>
    run(
      administration.findWorkspace(id).pipe(
        Effect.flatMap((workspace) => usage.read(workspace.id)),
        Effect.map(toPlain)
      ),
      options
    ),
  auditEvents: (id, request = {}, options) =>
    run(
      Effect.gen(function* () {
        const workspace = yield* administration.findWorkspace(id)
        const filter = {
          actorId: Option.fromNullishOr(request.actor),
          action: Option.fromNullishOr(request.action),
          targetId: Option.fromNullishOr(request.target)
        }
        const page = yield* audit.list(workspace.id, filter, yield* toPageRequest(request))
        return toPlainPage(page, toPlain<AuditEvent>)
      }),
      options
    ),
  list: (request = {}, options) =>
    run(
      Effect.map(Effect.flatMap(toPageRequest(request), administration.listWorkspaces), (page) =>
        toPlainPage(page, toPlain<Workspace>)
      ),
      options
    ),
  update: (id, change, options) => run(Effect.map(administration.updateWorkspace(id, change), toPlain), options),
  erase: (id, options) => run(administration.eraseWorkspace(id), options)
})
