import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { RenderPlan } from "../gif/renderPlan.ts"
import type { Mp4Facts } from "./readMp4.ts"

/** The encoded video differs from the plan. */
export class VideoRefused extends Schema.TaggedError<VideoRefused>()("VideoRefused", {
  /** `TooLarge` is the output limit of §8.2; everything else is `Different`. */
  reason: Schema.Literals(["TooLarge", "Different"]),
  /** For logs. */
  detail: Schema.String
}) {}

const picturesPerSecond = 30

/** The properties of the profile `universal_mp4_v1` that can be checked in a file's boxes. */
const promises = (plan: RenderPlan, facts: Mp4Facts): ReadonlyArray<readonly [name: string, isKept: boolean]> => [
  ["H.264", facts.codec === "avc1"],
  ["one track", facts.tracks === 1],
  [`${plan.width}×${plan.height}`, facts.width === plan.width && facts.height === plan.height],
  [`${plan.pictures} pictures`, facts.pictures === plan.pictures],
  [
    "30 a second, each as long",
    facts.ticksPerPicture !== undefined && facts.ticksPerPicture * picturesPerSecond === facts.ticksPerSecond
  ],
  ["at least five seconds", facts.duration_ms >= 5000],
  ["index in front", facts.isFastStart],
  ["no edit list", !facts.hasEditList],
  ["stored in the order shown", !facts.hasReordering]
]

/** Checks an encoded video before it is stored. */
export const checkVideo = (
  plan: RenderPlan,
  facts: Mp4Facts,
  size_bytes: number,
  limit_bytes: number
): Result.Result<void, VideoRefused> => {
  if (size_bytes > limit_bytes) {
    return Result.fail(new VideoRefused({ reason: "TooLarge", detail: `${size_bytes} > ${limit_bytes} bytes` }))
  }
  const broken = promises(plan, facts).flatMap(([name, isKept]) => (isKept ? [] : [name]))
  return broken.length === 0
    ? Result.succeed(undefined)
    : Result.fail(new VideoRefused({ reason: "Different", detail: `not kept: ${broken.join(", ")}` }))
}
