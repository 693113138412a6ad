import { BaseSequencer, type TestSpecification } from "vitest/node"

/** Files of tests that start processes, or simulate for long: they take a minute where others take a second. */
const isLong =
  /\/examples\/http-host\/test\/|\/adapters-ffmpeg\/test\/(FfmpegEncoder|OverlayEncoder|corpus)|\/scripts\/test\/|\/replySimulation\./

/** Long files first, so that the end of a run is not one long file with the other cores idle. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const sorted = await super.sort(files)
    const long = sorted.filter(({ moduleId }) => isLong.test(moduleId))
    return [...long, ...sorted.filter((file) => !long.includes(file))]
  }
}
