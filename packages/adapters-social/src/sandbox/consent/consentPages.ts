import type { SandboxAnswer } from "../Operation.ts"
import type { DialogRequest } from "./dialogRequest.ts"
import { escaped, page } from "./frame.ts"
import { basicScopes } from "./knownScopes.ts"
import type { AccountOwner, OwnedAccount } from "./standingOwners.ts"

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
