// Before any schema is made: it compiles them (effect's SchemaJITCompiler), which only an application may decide.
import "effect/schema/SchemaJITCompiler/enable"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

const args = process.argv.slice(2)

const isServe = args[0] === "serve"

/**
 * Whoever reads them may leave: a host goes on without its log, and a command, as `head` wants of it, has nothing more to do.
 * An answer that could not be written, as on a full disk, is a failure.
 */
const leave = (error: NodeJS.ErrnoException): void => {
  if (isServe) return
  if (error.code === "EPIPE") process.exit(0)
  process.stderr.write(`loopbox: The answer could not be written: ${error.message}\n`)
  process.exit(1)
}
for (const stream of [process.stdout, process.stderr]) stream.on("error", leave)

/** A host that ends does not wait long for who reads its log; a command waits for who reads its answer. */
const patience = isServe ? Duration.seconds(1) : Duration.infinity

/**
 * Waits until a pipe has taken what was written: it holds 64 KiB, and with the end of the process the rest is gone. One
 * whose reader has left, as `head` does, is not waited for. A write to a file that failed is told here first.
 */
const flush = (stream: NodeJS.WriteStream) =>
  Effect.callback<void>((resume) => {
    stream.once("error", () => resume(Effect.void))
    stream.write("", () => {
      if (stream.errored !== null) leave(stream.errored)
      resume(Effect.void)
    })
  }).pipe(Effect.timeoutOption(patience))

const flushAll = Effect.all([flush(process.stdout), flush(process.stderr)], { concurrency: "unbounded" })

/** A host is most often started without options. */
const isServeAlone = args.length === 1 && args[0] === "serve"
const run = Effect.flatten(
  Effect.promise(async () =>
    isServeAlone
      ? (await import("./serveAlone.ts")).serveAlone
      : (await import("./commandLine.ts")).runCommandLine(args)
  )
)

// Not left to an empty event loop: pooled connections to a host may stay open for seconds.
Effect.runFork(Effect.tap(run, flushAll)).addObserver((exit) => {
  if (Exit.isSuccess(exit)) process.exit(exit.value)
  // Every command says itself what it failed of: this one could not even be loaded, as where a package is missing.
  process.stderr.write(`loopbox: ${Cause.pretty(exit.cause)}\n`)
  process.exit(1)
})
