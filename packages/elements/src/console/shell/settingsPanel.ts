import { html, nothing, type TemplateResult } from "lit"
import type { ConsoleMessages } from "../../messages/english/console.ts"
import { button } from "../../parts/button.ts"
import { selectField } from "../../parts/field.ts"
import type { ConsoleSession } from "./ConsoleHost.ts"
import { readTheme } from "./settingsStore.ts"

/** The choice among an installation's workspaces; nothing where there is one. */
export const workspaceField = (
  id: string,
  { workspaces }: ConsoleSession,
  chosen: string,
  texts: ConsoleMessages,
  onChoose: (id: string) => void
): TemplateResult | typeof nothing =>
  workspaces.length < 2
    ? nothing
    : selectField({
        id,
        label: texts.workspace,
        value: chosen,
        options: workspaces.map((workspace) => ({ value: workspace.id, label: workspace.name })),
        onInput: onChoose
      })

export interface SettingsPanel {
  readonly texts: ConsoleMessages
  readonly workspace: TemplateResult | typeof nothing
  readonly onLanguage: (language: string) => void
  readonly onTheme: (theme: string) => void
  readonly onSignOut: () => void
}

/** What a reader chooses for this device, and the way out. */
export const settingsPanel = ({ onLanguage, onSignOut, onTheme, texts, workspace }: SettingsPanel): TemplateResult =>
  html`<div class="sign-in">
    ${selectField({
      id: "language",
      label: texts.language,
      value: document.documentElement.lang.slice(0, 2),
      options: [
        { value: "en", label: "English" },
        { value: "de", label: "Deutsch" }
      ],
      onInput: onLanguage
    })}
    ${selectField({
      id: "theme",
      label: texts.theme,
      value: readTheme(),
      options: Object.entries(texts.themes).map(([value, label]) => ({ value, label })),
      onInput: onTheme
    })}
    ${workspace} ${button({ label: texts.signOut, icon: "lock", onClick: onSignOut })}
  </div>`
