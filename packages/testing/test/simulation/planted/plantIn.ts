import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { findBug } from "./findBug.ts"
import type { Plant, PlantedBug } from "./PlantedBug.ts"

/** Each is found within so many. */
const seeds = 200

/** Tests that each bug is found in a world. */
export const plantIn = <Ports>(
  world: string,
  bugs: ReadonlyArray<PlantedBug<Ports>>,
  play: (seed: number, plant: Plant<Ports>) => Effect.Effect<unknown, unknown>
) =>
  describe(`a bug that is planted in the world of ${world} is found: `, () => {
    for (const { breaks, name, near, plant } of bugs) {
      it.effect(name, () =>
        Effect.gen(function* () {
          const problem = yield* findBug((seed) => play(seed, plant), breaks, seeds, near)
          assert.isTrue(Option.isNone(problem), Option.getOrUndefined(problem))
        })
      )
    }
  })
