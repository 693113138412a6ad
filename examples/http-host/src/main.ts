// Before any schema is made: it compiles them (effect's SchemaJITCompiler), which only an application may decide.
import "effect/schema/SchemaJITCompiler/enable"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { runCommandLine } from "./commandLine.ts"

// Not left to an empty event loop: pooled connections to a host may stay open for seconds.
Effect.runFork(runCommandLine(process.argv.slice(2))).addObserver((exit) =>
  process.exit(Exit.isSuccess(exit) ? exit.value : 1)
)
