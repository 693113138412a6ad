import type { JobAlreadyEnded, JobNotFound } from "@loopbox/core/jobs/JobErrors"
import type { JobStatus, MediaJob } from "@loopbox/core/jobs/MediaJob"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import type { Page, PageRequest } from "@loopbox/core/kernel/Page"
import type { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { CurrentCaller } from "../../api/CurrentCaller.ts"
import { answerPage, Cursors } from "../edge/Cursors.ts"
import { type ListName, listUse } from "../edge/listUse.ts"
import { answer } from "../edge/refuse.ts"
import { cancelRefusals, jobRefusals, listRefusals } from "./jobRefusals.ts"

/** What a service does with the jobs of its kind, once they were submitted. */
interface JobCalls<Job> {
  readonly find: (workspaceId: WorkspaceId, id: string) => Effect.Effect<Job, JobNotFound | StoreUnavailable>
  readonly list: (
    workspaceId: WorkspaceId,
    status: Option.Option<JobStatus>,
    page: PageRequest
  ) => Effect.Effect<Page<Job>, StoreUnavailable>
  readonly cancel: (
    workspaceId: WorkspaceId,
    id: string
  ) => Effect.Effect<Job, JobNotFound | JobAlreadyEnded | StoreUnavailable>
}

/** The list, the look-up and the cancel of one kind of media job, always within the caller's workspace. */
export const jobHandlers = Effect.fnUntraced(function* <Job extends MediaJob<unknown, string>, Body>(
  listName: ListName,
  calls: JobCalls<Job>,
  toBody: (job: Job) => Body
) {
  const cursors = yield* Cursors
  return {
    list: Effect.fnUntraced(function* ({
      query
    }: {
      readonly query: { readonly status?: JobStatus; readonly limit?: number; readonly cursor?: string }
    }) {
      const { workspace } = yield* CurrentCaller
      const use = listUse(listName, workspace.id, query)
      const status = Option.fromUndefinedOr(query.status)
      return yield* answerPage(cursors, use, query, (page) => calls.list(workspace.id, status, page), toBody)
    }, Effect.catchTags(listRefusals)),
    find: Effect.fnUntraced(function* ({ params }: { readonly params: { readonly id: string } }) {
      const { workspace } = yield* CurrentCaller
      return yield* answer(toBody(yield* calls.find(workspace.id, params.id)))
    }, Effect.catchTags(jobRefusals)),
    cancel: Effect.fnUntraced(function* ({ params }: { readonly params: { readonly id: string } }) {
      const { workspace } = yield* CurrentCaller
      return yield* answer(toBody(yield* calls.cancel(workspace.id, params.id)))
    }, Effect.catchTags(cancelRefusals))
  }
})
