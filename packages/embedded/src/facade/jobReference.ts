import * as Schedule from "effect/Schedule"
import type { MediaJob } from "@loopbox/core/jobs/MediaJob"

/** Identifies a job; a job as plain data can be used, too. */
export interface JobReference {
  readonly workspaceId: string
  readonly id: string
}

export const hasEnded = ({ _tag }: Pick<MediaJob<unknown, string>, "_tag">) =>
  _tag === "SucceededJob" || _tag === "FailedJob"

/** Polls soon at first, since small files are quick, and then every two seconds. */
export const jobLooks = Schedule.min([Schedule.exponential("100 millis", 1.5), Schedule.spaced("2 seconds")])
