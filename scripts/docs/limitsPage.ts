/** The parts of docs/guides/limits-and-errors.md that are made from the code. Pure. */
import { errorCodes } from "../../packages/adapters-http/src/api/errorCodes.ts"
import { errorRemedies } from "../../packages/adapters-http/src/api/errorRemedies.ts"
import { gifLimits } from "../../packages/core/src/media/gif/GifLimits.ts"
import { overlayLimits } from "../../packages/core/src/overlays/OverlayLimits.ts"
import { keepDays } from "../../packages/core/src/workspaces/keepDays.ts"
import { limitsOfPlan } from "../../packages/core/src/workspaces/Limits.ts"
import { plans } from "../../packages/core/src/workspaces/Plan.ts"

const count = (value: number) => value.toLocaleString("en-US")
const mebibytes = (bytes: number) => `${count(bytes / 1_048_576)} MiB`
const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n")

const planTable = () =>
  table(
    ["plan", "active media jobs", "conversions in 24 h", "files kept after success", "inputs kept after failure"],
    plans.map((plan) => [
      plan,
      count(limitsOfPlan[plan].activeJobs),
      count(limitsOfPlan[plan].conversionsPer24Hours),
      `${keepDays[plan].succeeded} d`,
      `${keepDays[plan].failed} d`
    ])
  )

const mediaTable = () =>
  table(
    ["what", "at most"],
    [
      ["a GIF", mebibytes(gifLimits.size_bytes)],
      ["its longest side", `${count(gifLimits.side_px)} pixels`],
      ["its frames", count(gifLimits.frames)],
      ["its decoded pixels, over all frames", count(gifLimits.decoded_px)],
      ["its cycle", `${gifLimits.cycle_cs / 100} seconds`],
      ["the MP4 of a job", mebibytes(gifLimits.output_bytes)],
      [
        "the video of an overlay",
        `${mebibytes(overlayLimits.video_bytes)} and ${overlayLimits.video_ms / 60_000} minutes`
      ],
      ["the sound of an overlay", mebibytes(overlayLimits.audio_bytes)]
    ]
  )

const codeTable = () => {
  const sorted = Object.entries(errorRemedies).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return sorted
    .map(([code, { cause, remedy }]) => {
      const entry = Object.entries(errorCodes).find(([name]) => name === code)
      const statuses = entry === undefined ? "" : entry[1].statuses.join(", ")
      return `### \`${code}\`\n\nStatus ${statuses}. ${cause}\n\n${remedy}`
    })
    .join("\n\n")
}

const made: Readonly<Record<string, () => string>> = { plans: planTable, media: mediaTable, codes: codeTable }

/** The page with all its made parts as the code has them now. */
export const fillLimitsPage = (page: string): string =>
  Object.entries(made).reduce((text, [name, make]) => {
    const begin = `<!-- made: ${name} -->`
    const end = `<!-- end: ${name} -->`
    const [from, to] = [text.indexOf(begin), text.indexOf(end)]
    if (from < 0 || to < from) throw new Error(`The page lacks ${begin} … ${end}`)
    return `${text.slice(0, from + begin.length)}\n\n${make()}\n\n${text.slice(to)}`
  }, page)
