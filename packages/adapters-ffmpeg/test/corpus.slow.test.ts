import { convertCorpus } from "./support/convertCorpus.ts"
import { testFfmpeg } from "./support/programs.ts"

convertCorpus(testFfmpeg?.path, ["#FFFFFF", "#12C8F0"])
