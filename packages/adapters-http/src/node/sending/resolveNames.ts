import * as dns from "node:dns"
import type { LookupAddress } from "node:dns"
import * as Cache from "effect/Cache"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Semaphore from "effect/Semaphore"

/** A name has no address, or nobody could tell it. */
export class NameUnresolved extends Data.TaggedError("NameUnresolved")<{ readonly cause: unknown }> {}

/** The addresses of a name, as the machine has them: its hosts file, its resolver. An exit, if they are known. */
export type ResolveName = (name: string) => Effect.Effect<ReadonlyArray<LookupAddress>, NameUnresolved>

const bySystem: ResolveName = (name) =>
  Effect.callback((resume) => {
    // Asked for as a property, so that an agent of the process that replaces it is heard.
    dns.lookup(name, { all: true }, (cause, addresses) => {
      resume(cause === null ? Effect.succeed(addresses) : Effect.fail(new NameUnresolved({ cause })))
    })
  })

/** How long an answer holds: shorter than the first wait before a retry. */
const holds = Duration.seconds(3)

/** Names that are kept: their answers, and whether the last one was none. */
const names = 4_096

interface Answer {
  readonly exit: Exit.Exit<ReadonlyArray<LookupAddress>, NameUnresolved>
  readonly until_ms: number
}

/**
 * Resolves names, each at most once at a time, with answers that hold for seconds.
 *
 * A look-up takes one of the four threads that Node has for files too, and one of a dead name for many seconds. So two
 * run at once, and names whose last look-up failed wait for each other, one at a time, beside them.
 */
export const makeResolveNames = (lookUp: ResolveName = bySystem): Effect.Effect<ResolveName> =>
  Effect.gen(function* () {
    const sound = yield* Semaphore.make(2)
    const doubtful = yield* Semaphore.make(1)
    const failed = new Set<string>()
    const clock = yield* Clock.Clock
    /** What was answered last, at hand without a fiber. */
    const answers = new Map<string, Answer>()
    const note = (name: string, exit: Answer["exit"]) => {
      failed.delete(name)
      if (Exit.isSuccess(exit)) {
        if (answers.size >= names) answers.clear()
        answers.set(name, { exit, until_ms: clock.currentTimeMillisUnsafe() + Duration.toMillis(holds) })
        return
      }
      answers.delete(name)
      if (failed.size >= names) failed.clear()
      failed.add(name)
    }
    const cache = yield* Cache.makeWith(
      (name: string) =>
        Effect.suspend(() => Semaphore.withPermit(failed.has(name) ? doubtful : sound, lookUp(name))).pipe(
          Effect.onExit((exit) => Effect.sync(() => note(name, exit)))
        ),
      { capacity: names, timeToLive: () => holds }
    )
    // A caller that has waited enough leaves, but its look-up has a thread until it ends.
    return (name: string) => {
      const answer = answers.get(name)
      if (answer !== undefined && clock.currentTimeMillisUnsafe() < answer.until_ms) return answer.exit
      return Effect.flatMap(Effect.forkDetach(Cache.get(cache, name)), Fiber.join)
    }
  })
