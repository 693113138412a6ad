import { convertCorpus } from "./support/convertCorpus.ts"
import { oldestFfmpeg } from "./support/programs.ts"

// What lies behind a picture is ours to draw, before any program has it: the other file looks at both.
convertCorpus(oldestFfmpeg, ["#12C8F0"])
