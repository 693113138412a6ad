import { type ConversionJob, failureCodes, outputProfile } from "@loopbox/core/conversions/ConversionJob"
import * as Schema from "effect/Schema"
import { lifeBody, toLife } from "./jobLife.ts"

/** A conversion job on the wire (§3.2): every key is always there. */
export const JobBody = Schema.Struct({
  kind: Schema.Literal("gif_to_mp4"),
  gif_media_id: Schema.String,
  background_color: Schema.String,
  output_profile: Schema.Literal(outputProfile),
  ...lifeBody(failureCodes)
}).annotate({
  identifier: "ConversionJob",
  examples: [
    {
      id: "mpj_01k9j8m2x4v6q8s0t2w4y6z8ab",
      kind: "gif_to_mp4",
      status: "succeeded",
      gif_media_id: "med_01k9j8kz7c5r3n1p9h7f5d3b1a",
      background_color: "#FFFFFF",
      output_profile: "universal_mp4_v1",
      output_media_id: "med_01k9j8mfa2s4d6f8g0h2j4k6m8",
      progress: 1,
      attempts: 1,
      created_at: "2026-11-21T07:00:00.000Z",
      started_at: "2026-11-21T07:00:00.021Z",
      completed_at: "2026-11-21T07:00:02.410Z",
      error: null
    }
  ]
})
export type JobBody = typeof JobBody.Type

export const toJobBody = (job: ConversionJob): JobBody => ({
  kind: "gif_to_mp4",
  gif_media_id: job.task.gifMediaId,
  background_color: job.task.backgroundColor,
  output_profile: outputProfile,
  ...toLife(job)
})
