import type * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import { InboxEvent } from "../items/InboxEvent.ts"
import { ConversionJobId } from "../kernel/Ids.ts"

/**
 * A media job has ended (api-2.md §15). It stands in the log between the events of the inbox, written in the transaction
 * that ended the job, where a webhook endpoint names its type: nobody else gets it, no socket either.
 *
 * It only refers to the job, whose content does not change after its end.
 */
export const JobEnded = Schema.TaggedStruct("JobEnded", {
  kind: Schema.Literals(["gif_to_mp4", "audio_overlay"]),
  jobId: ConversionJobId
})
export type JobEnded = typeof JobEnded.Type

/** What the event log holds. */
export const LoggedEvent = Schema.Union([...InboxEvent.members, JobEnded])
export type LoggedEvent = typeof LoggedEvent.Type

/** The end of a job as it is read from the log. */
export interface LoggedJobEnd {
  readonly seq: number
  readonly at: DateTime.Utc
  readonly event: JobEnded
}
