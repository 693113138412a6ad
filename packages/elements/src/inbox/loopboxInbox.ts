import { html, type TemplateResult } from "lit"
import { LoopboxElement } from "../base/LoopboxElement.ts"
import { tokens } from "../base/tokens.ts"
import { controls } from "../parts/controls.ts"
import { loadingState } from "../parts/states.ts"

/** `<loopbox-inbox>`. */
export class LoopboxInbox extends LoopboxElement {
  static override styles = [tokens, controls]

  protected override render(): TemplateResult {
    return html`${loadingState(this.partMessages)}`
  }
}

if (customElements.get("loopbox-inbox") === undefined) customElements.define("loopbox-inbox", LoopboxInbox)
