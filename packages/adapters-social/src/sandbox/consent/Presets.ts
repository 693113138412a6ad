import { Network } from "../../names.ts"
import * as Schema from "effect/Schema"

/** What whoever sees a dialog next does, without being asked. */
export const Preset = Schema.Struct({
  network: Network,
  /** `hang`: the dialog never answers. `ask`: people choose again. */
  decision: Schema.Literals(["approve", "deny", "hang", "ask"]),
  /** Who signs in, by id; the first one if left out. */
  person: Schema.optionalKey(Schema.String),
  /** Which accounts or Pages, by id; all if left out. */
  accounts: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Accounts or Pages that are unticked. */
  without_accounts: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Permissions that are unticked. */
  without_permissions: Schema.optionalKey(Schema.Array(Schema.String)),
  /** How many dialogs; until it is changed if left out. */
  times: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100_000 })))
})
export type Preset = typeof Preset.Type

/** Decisions that were ordered beforehand, one for each network. */
export class Presets {
  private readonly presets = new Map<Network, Preset>()

  readonly set = (preset: Preset): void => {
    if (preset.decision === "ask") this.presets.delete(preset.network)
    else this.presets.set(preset.network, preset)
  }

  readonly list = (): ReadonlyArray<Preset> => [...this.presets.values()]

  /** The decision for a dialog that is opened now; it counts. */
  readonly take = (network: Network): Preset | undefined => {
    const preset = this.presets.get(network)
    if (preset?.times === 1) this.presets.delete(network)
    else if (preset?.times !== undefined) this.presets.set(network, { ...preset, times: preset.times - 1 })
    return preset
  }
}
