import type { TemplateResult } from "lit"
import { controls } from "../parts/controls.ts"
import { loadingState } from "../parts/states.ts"
import { LoopboxElement } from "../base/LoopboxElement.ts"
import { tokens } from "../base/tokens.ts"

/** `<loopbox-console>`: all of a Loopbox host on one page. */
export class LoopboxConsole extends LoopboxElement {
  static override styles = [tokens, controls]

  protected override render(): TemplateResult {
    return loadingState(this.partMessages)
  }
}

if (customElements.get("loopbox-console") === undefined) customElements.define("loopbox-console", LoopboxConsole)
