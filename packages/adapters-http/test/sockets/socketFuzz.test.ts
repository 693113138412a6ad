import { describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { server } from "../support.ts"
import { fuzzSockets } from "./socketFuzz.ts"

/** `LOOPBOX_TEST_SEEDS` sends others, and more of them. */
const count = Number(process.env["LOOPBOX_TEST_SEEDS"] ?? 2_000)

describe("frames that no client sends", () => {
  layer(server, { excludeTestServices: true })((it) => {
    it.effect(
      "end their own connection, and no other",
      () => fuzzSockets({ from: count > 2_000 ? 100_000 : 1, count }).pipe(Effect.scoped),
      580_000
    )
  })
})
