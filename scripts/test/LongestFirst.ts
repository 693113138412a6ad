import { BaseSequencer, type TestSpecification } from "vitest/node"

/** Files of tests that start processes: they take a minute where others take a second, and wait for half of it. */
const waits = /\/examples\/[^/]+\/test\/|\/scripts\/test\/|\/outgoing\/deliveryKills\.|\/operations\/erasing\.slow\./

/** They compute for minutes: a simulation, or one GIF after another. */
const computes =
  /\/adapters-ffmpeg\/test\/(FfmpegEncoder|OverlayEncoder|overlaidFiles|canonical|corpus|ghosts)|\/sandbox\/sync\.slow\.|\/(reply|whole)Simulation\.|\/simulation\/(planted|seeds)\//

/** They fill databases with a million rows for minutes, of which two others begin with copies. */
const fills = /\/adapters-postgres\/test\/stores\/(plans|inbox\/inboxPlans)\./
const copies = /\/adapters-postgres\/test\/stores\/.*\/(threadPlans|searchPlans)\./

/** Both, the fewer spread evenly over the more, so that a core is never idle and none is fought for. */
export const spread = <A>(more: ReadonlyArray<A>, fewer: ReadonlyArray<A>): ReadonlyArray<A> => {
  const each = Math.ceil(more.length / Math.max(1, fewer.length))
  const beside = fewer.flatMap((one, at) => [one, ...more.slice(at * each, (at + 1) * each)])
  return [...beside, ...more.slice(fewer.length * each)]
}

/**
 * Long files first, so that the end of a run is not one long file with the other cores idle. Those that wait for what
 * another fills come in the middle.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const sorted = await super.sort(files)
    const named = (name: RegExp) => sorted.filter(({ moduleId }) => name.test(moduleId))
    const long = spread(named(waits), named(computes))
    const [first, middle] = [named(fills), named(copies)]
    const others = sorted.filter((file) => ![first, middle, long].some((some) => some.includes(file)))
    const half = Math.ceil(long.length / 2)
    return [...first, ...long.slice(0, half), ...middle, ...long.slice(half), ...others]
  }
}
