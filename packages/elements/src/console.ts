export { LoopboxConsole } from "./console/loopboxConsole.ts"
