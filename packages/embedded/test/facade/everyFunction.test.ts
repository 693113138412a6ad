import * as MemoryAdapters from "@loopbox/adapters-memory/MemoryAdapters"
import { assert, describe, it } from "vitest"
import { createLoopbox } from "../../src/createLoopbox.ts"

/** Functions that may be called without any argument. */
const takesNone: ReadonlyArray<string> = ["workspaces.list"]

const isFunction = (given: unknown): given is (...all: ReadonlyArray<unknown>) => unknown => typeof given === "function"

const isIterable = (given: unknown): given is AsyncIterable<unknown> =>
  typeof given === "object" && given !== null && Symbol.asyncIterator in given

/** What a call is refused with, at once or with its first event. */
const refusalOf = async (call: () => unknown): Promise<unknown> => {
  try {
    const given = call()
    return isIterable(given) ? await given[Symbol.asyncIterator]().next() : await given
  } catch (error) {
    return error
  }
}

type Call = (...given: ReadonlyArray<unknown>) => unknown

/** Every function of every group, by its name. */
const functionsOf = (loopbox: object): ReadonlyArray<readonly [name: string, call: Call]> =>
  Object.entries(loopbox).flatMap(([group, members]: [string, unknown]) =>
    typeof members === "object" && members !== null
      ? Object.entries(members).flatMap(([name, one]: [string, unknown]) =>
          isFunction(one) ? [[`${group}.${name}`, one] as const] : []
        )
      : []
  )

/** One that must be a TypeError which names the function. */
const messageOf = (name: string, error: unknown): string => {
  assert.instanceOf(error, TypeError, `${name}: ${String(error)}`)
  assert.isTrue(error.message.startsWith(`${name}: `), `${name}: ${error.message}`)
  return error.message.slice(name.length + 2)
}

describe("every function", () => {
  it("names its first argument when it is called without any", async () => {
    await using loopbox = await createLoopbox(MemoryAdapters.layer)
    const all = functionsOf(loopbox)
    assert.isAbove(all.length, 90)
    for (const [name, call] of all) {
      if (takesNone.includes(name)) continue
      const message = messageOf(name, await refusalOf(() => call()))
      assert.match(message, /^[a-zA-Z]+(\.[a-zA-Z]+)? (must be|is missing)/, name)
    }
  })

  it("names every argument that is of another kind", async () => {
    await using loopbox = await createLoopbox(MemoryAdapters.layer)
    for (const [name, call] of functionsOf(loopbox)) {
      const message = messageOf(name, await refusalOf(() => call(7, 7, 7, 7, 7)))
      // The last argument of all of them is an object with a signal.
      assert.match(message, /(^|; )(options|request) must be (\{ signal|an object of)/, name)
      for (const problem of message.split("; ")) assert.match(problem, /^[a-zA-Z]+ must be /, name)
    }
  })

  it("names a member that it does not know", async () => {
    await using loopbox = await createLoopbox(MemoryAdapters.layer)
    const wrong = { sginal: null }
    for (const [name, call] of functionsOf(loopbox)) {
      const message = messageOf(name, await refusalOf(() => call(wrong, wrong, wrong, wrong, wrong)))
      assert.match(message, /(options|request)\.sginal is not known: there are /, name)
    }
  })
})
