import * as Context from "effect/Context"

/** Where the simulated networks are, of `networks: "sandbox"`. */
export const SimulatorUrl = Context.Reference<string | null>("@loopbox/embedded/presets/SimulatorUrl", {
  defaultValue: () => null
})
