// A reporter of vitest for .ci/tests.sh: writes the errors that were thrown outside of any test, of which the JSON report
// says nothing, to the file that LOOPBOX_CI_UNHANDLED names.
import { writeFileSync } from "node:fs"

export default class {
  onTestRunEnd(_modules, errors) {
    const texts = errors.map(({ message, name, stack, VITEST_TEST_PATH: file }) =>
      [file ?? "an unknown file", stack ?? `${name}: ${message}`].join("\n")
    )
    writeFileSync(process.env.LOOPBOX_CI_UNHANDLED, JSON.stringify(texts))
  }
}
