import { convertCorpus } from "./support/convertCorpus.ts"
import { oldestFfmpeg } from "./support/programs.ts"

convertCorpus(oldestFfmpeg)
