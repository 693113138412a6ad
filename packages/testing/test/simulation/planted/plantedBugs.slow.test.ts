import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { simulate } from "../simulate.ts"
import { simulateInbox } from "../simulateInbox.ts"
import { simulatePosts } from "../simulatePosts.ts"
import { simulateReplies } from "../simulateReplies.ts"
import { findBug } from "./findBug.ts"
import { inboxBugs } from "./inboxBugs.ts"
import { jobBugs } from "./jobBugs.ts"
import type { Plant, PlantedBug } from "./PlantedBug.ts"
import { postBugs } from "./postBugs.ts"
import { replyBugs } from "./replyBugs.ts"

/** Each is found within so many. */
const seeds = 200

const plantIn = <Ports>(
  world: string,
  bugs: ReadonlyArray<PlantedBug<Ports>>,
  play: (seed: number, plant: Plant<Ports>) => Effect.Effect<unknown, unknown>
) =>
  describe(`a bug that is planted in the world of ${world} is found: `, () => {
    for (const { name, plant } of bugs) {
      it.effect(name, () =>
        Effect.gen(function* () {
          const found = yield* findBug((seed) => play(seed, plant), seeds)
          assert.isTrue(Option.isSome(found), `not within ${seeds} seeds`)
        })
      )
    }
  })

plantIn("media jobs", jobBugs, simulate)
plantIn("the inbox", inboxBugs, simulateInbox)
plantIn("replies", replyBugs, simulateReplies)
plantIn("posts", postBugs, simulatePosts)
