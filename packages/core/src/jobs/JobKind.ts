import type { MediaId } from "../kernel/Ids.ts"
import type { MediaSource } from "../media/Media.ts"
import type { JobFailure } from "./MediaJob.ts"

/** Every kind of media job, as it is stored and on the wire. */
export const jobKindNames = ["gif_to_mp4", "audio_overlay"] as const

export type JobKindName = (typeof jobKindNames)[number]

/** What distinguishes one kind of media job from the other. The life of their jobs is the same. */
export interface JobKind<Task, Code extends string> {
  readonly name: JobKindName
  /** In errors, in names of the store's calls and in logs. */
  readonly what: "conversion" | "overlay"
  /** Told by the record of its outputs. */
  readonly source: Exclude<MediaSource, "upload">
  /** The files that an active job reads; they are kept meanwhile. */
  readonly inputsOf: (task: Task) => ReadonlyArray<MediaId>
  /** Whether two submits under one key ask for the same. */
  readonly isSame: (one: Task, other: Task) => boolean
  readonly failures: {
    /** The leases of all attempts were lost. */
    readonly abandoned: JobFailure<Code>
    readonly canceled: JobFailure<Code>
    /** The machine failed, not the files. */
    readonly machine: JobFailure<Code>
    /** The video was made and could not be stored. */
    readonly notStored: JobFailure<Code>
    readonly timedOut: JobFailure<Code>
  }
}
