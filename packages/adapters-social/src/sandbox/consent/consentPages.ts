import type { Network } from "../../names.ts"
import type { SandboxAnswer } from "../Operation.ts"
import type { DialogRequest } from "./dialogRequest.ts"
import { basicScopes } from "./knownScopes.ts"
import type { AccountOwner, OwnedAccount } from "./standingOwners.ts"

const titles: Record<Network, string> = { instagram: "Instagram", facebook: "Facebook", threads: "Threads", x: "X" }

const escaped = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;")

const style = `
body { font: 1rem/1.5 system-ui, sans-serif; color: #1c1e21; background: #f4f5f7; margin: 0; padding: 1rem }
main { max-width: 28rem; margin: 0 auto; padding: 1.25rem; background: #fff; border-radius: .75rem }
h1 { font-size: 1.25rem; margin: 0 0 .5rem } h2 { font-size: 1rem; margin: 1.25rem 0 .25rem }
fieldset { border: 0; margin: 0; padding: 0 } legend { font-weight: 600; margin-top: 1rem }
label, a.person { display: block; padding: .6rem .25rem; border-bottom: 1px solid #e4e6ea; color: inherit; overflow-wrap: anywhere }
small { color: #5a6068; display: block } .note { color: #5a6068; font-size: .875rem }
button { font: inherit; width: 100%; padding: .7rem; margin-top: .75rem; border: 1px solid #1c1e21; border-radius: .5rem;
  background: #fff; color: #1c1e21 } button.main { background: #1c1e21; color: #fff }
`

const page = (network: Network, heading: string, content: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${titles[network]}, simulated: ${escaped(heading)}</title><style>${style}</style></head>
<body><main><p class="note">${titles[network]}, simulated by the sandbox</p><h1>${escaped(heading)}</h1>
${content}
</main></body></html>`

/** Nothing goes back to the app from here. */
export const errorPage = (network: Network, message: string): SandboxAnswer => ({
  status: 400,
  headers: { "cache-control": "no-store" },
  body: page(network, "Something went wrong", `<p>${escaped(message)}</p>`)
})

const shown = (body: string): SandboxAnswer => ({ status: 200, headers: { "cache-control": "no-store" }, body })

const hidden = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`)
    .join("\n")

const denyForm = ({ parameters }: DialogRequest, path: string): string =>
  `<form method="post" action="${escaped(path)}">${hidden(parameters)}
<button name="decision" value="deny">Cancel</button></form>`

/** Who signs in? */
export const peoplePage = (dialog: DialogRequest, owners: ReadonlyArray<AccountOwner>, path: string): SandboxAnswer => {
  const links = owners.map((owner) => {
    const query = new URLSearchParams({ ...dialog.parameters, person: owner.id })
    const accounts = owner.accounts.map(({ name, username }) => (dialog.network === "facebook" ? name : `@${username}`))
    const note = accounts.length === 0 ? "no Page" : accounts.join(", ")
    return `<a class="person" href="${escaped(`${path}?${query}`)}">${escaped(owner.name)}<small>${escaped(note)}</small></a>`
  })
  return shown(page(dialog.network, "Who signs in?", `<nav>${links.join("\n")}</nav>\n${denyForm(dialog, path)}`))
}

const noteOn = ({ business, hasNoToken, instagram, isPersonal, tasks, username }: OwnedAccount): string =>
  [
    `@${username}`,
    ...(isPersonal === true ? ["a personal account"] : []),
    ...(tasks === undefined ? [] : [`may ${tasks.join(", ")}`]),
    ...(hasNoToken === true ? ["without a token"] : []),
    ...(instagram === undefined ? [] : [`Instagram: @${instagram.username}`]),
    ...(business === undefined ? [] : [`through ${business.name}`])
  ].join("; ")

const accountBoxes = (dialog: DialogRequest, { accounts }: AccountOwner): string => {
  const type = dialog.network === "facebook" ? "checkbox" : "radio"
  const boxes = accounts.map((account, at) => {
    const isChecked = type === "checkbox" || at === 0
    return `<label><input type="${type}" name="account" value="${escaped(account.accountId)}"${isChecked ? " checked" : ""}> ${escaped(account.name)}<small>${escaped(noteOn(account))}</small></label>`
  })
  return `<fieldset><legend>${dialog.network === "facebook" ? "Pages" : "Account"}</legend>
<input type="hidden" name="account" value="">${boxes.join("\n") || "<p>No Page</p>"}</fieldset>`
}

const permissionBoxes = ({ network, scopes }: DialogRequest): string => {
  // X shows them, and lets nobody choose.
  if (network === "x")
    return `<h2>The app may</h2><ul>${scopes.map((scope) => `<li>${escaped(scope)}</li>`).join("")}</ul>`
  const boxes = scopes.map((scope) =>
    scope === basicScopes[network]
      ? `<label><input type="checkbox" checked disabled> ${escaped(scope)}<small>always</small></label>`
      : `<label><input type="checkbox" name="permission" value="${escaped(scope)}" checked> ${escaped(scope)}</label>`
  )
  return `<fieldset><legend>The app may</legend><input type="hidden" name="permission" value="">${boxes.join("\n")}</fieldset>`
}

/** What may the app do, and with which accounts? */
export const choicePage = (dialog: DialogRequest, owner: AccountOwner, path: string): SandboxAnswer =>
  shown(
    page(
      dialog.network,
      `Continue as ${owner.name}`,
      `<form method="post" action="${escaped(path)}">
${hidden({ ...dialog.parameters, person: owner.id })}
${accountBoxes(dialog, owner)}
${permissionBoxes(dialog)}
<button class="main" name="decision" value="approve">Allow</button>
<button name="decision" value="deny">Cancel</button>
</form>`
    )
  )
