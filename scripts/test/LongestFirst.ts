import { BaseSequencer, type TestSpecification } from "vitest/node"

/** Files of tests that start processes, or simulate for long: they take a minute where others take a second. */
const isLong =
  /\/examples\/http-host\/test\/|\/adapters-ffmpeg\/test\/(FfmpegEncoder|OverlayEncoder|corpus)|\/scripts\/test\/|\/replySimulation\.|\/planted\/|\/outgoing\/deliveryKills\./

/** They fill databases with a million rows for minutes, of which two others begin with copies. */
const fills = /\/adapters-postgres\/test\/stores\/(plans|inbox\/inboxPlans)\./
const copies = /\/adapters-postgres\/test\/stores\/.*\/(threadPlans|searchPlans)\./

/**
 * Long files first, so that the end of a run is not one long file with the other cores idle. Those that wait for what
 * another fills come in the middle.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const sorted = await super.sort(files)
    const named = (name: RegExp) => sorted.filter(({ moduleId }) => name.test(moduleId))
    const long = named(isLong)
    const [first, middle] = [named(fills), named(copies)]
    const others = sorted.filter((file) => ![first, middle, long].some((some) => some.includes(file)))
    const half = Math.ceil(long.length / 2)
    return [...first, ...long.slice(0, half), ...middle, ...long.slice(half), ...others]
  }
}
