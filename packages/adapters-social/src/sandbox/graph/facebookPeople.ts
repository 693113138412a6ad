import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { OwnedAccount } from "../consent/standingOwners.ts"
import { toAnswer } from "../control/routes.ts"
import type { Operation, PersonScene, Ask } from "../Operation.ts"
import type { Grant } from "../Tokens.ts"
import { pictureOf } from "../pictures.ts"
import { asPerson } from "../World.ts"
import { pageMembers } from "./facebookNodes.ts"
import { GraphNode, parseFields, select } from "./graphFields.ts"
import { pageOfAsk, readPage } from "./graphPages.ts"
import { missingId } from "./graphRoutes.ts"

/** Whether a token of Facebook is a person's, and no Page's. */
export const isPersons = (grant: Option.Option<Grant>): boolean =>
  Option.exists(grant, ({ accountId, personId }) => accountId === personId)

/** A Page as the person sees it, with the token by which the app acts for it. */
const pageSeen = (scene: PersonScene, page: OwnedAccount, ask: Ask): GraphNode => {
  const { at, grant, logins, tokens, world } = scene
  const profile = logins.owners.profile("facebook", page)
  const instagram = Option.filter(logins.owners.instagramOf(page.accountId), () =>
    tokens.permits(grant, "instagram_basic")
  )
  const token = page.hasNoToken === true ? undefined : tokens.pageToken(grant, page.accountId, at).token
  if (token !== undefined) {
    world.connect(profile, at)
    for (const account of Option.toArray(instagram)) world.connect(account, at)
  }
  return new GraphNode("Page", ["access_token", "category", "category_list", "name", "id", "tasks"], {
    ...pageMembers(profile, ask),
    tasks: page.tasks,
    access_token: token,
    instagram_business_account: Option.getOrUndefined(
      Option.map(
        instagram,
        ({ accountId, name, username }) =>
          new GraphNode("IGUser", ["id"], {
            id: accountId,
            name,
            username,
            profile_picture_url: pictureOf(ask, { network: "instagram", accountId })
          })
      )
    )
  })
}

/** Pages that the person ticked, and still has a role on. */
const pagesOf = ({ logins, person }: PersonScene): ReadonlyArray<OwnedAccount> => {
  const { accountIds } = logins.consents.of("facebook", person.id)
  return person.accounts.filter(
    ({ accountId }) => accountIds?.has(accountId) !== false && logins.owners.hasRole(accountId)
  )
}

const pageList = (name: string, scope: string, isMeant: (page: OwnedAccount, ask: Ask) => boolean): Operation => ({
  name,
  scope,
  personAnswer: (scene, ask) =>
    toAnswer(
      Result.gen(function* () {
        const list = {
          all: pagesOf(scene).filter((page) => isMeant(page, ask)),
          idOf: ({ accountId }: OwnedAccount) => accountId,
          isThere: () => true,
          toNode: (page: OwnedAccount) => pageSeen(scene, page, ask),
          standard: 25,
          most: 100
        }
        return yield* readPage(list, yield* pageOfAsk(ask))
      })
    )
})

const accounts = pageList("accounts", "pages_show_list", ({ business }) => business === undefined)

const ofBusiness = (relation: "owned" | "client") =>
  pageList(
    `${relation}_pages`,
    "business_management",
    ({ business }, ask) => business?.relation === relation && business.id === ask.param("id")
  )

const me: Operation = {
  name: "me",
  personAnswer: ({ person: { id, name } }, ask) =>
    toAnswer(
      Result.gen(function* () {
        const { avatarUrl } = asPerson({ network: "facebook", accountId: id, name, username: id })
        const picture = { data: { url: avatarUrl, is_silhouette: false } }
        const node = new GraphNode("User", ["id", "name"], { id, name, picture, email: undefined })
        return yield* select(node, yield* parseFields(ask.text("fields")))
      })
    )
}

const page: Operation = {
  name: "me",
  personAnswer: (scene, ask) =>
    toAnswer(
      Result.gen(function* () {
        const found = pagesOf(scene).find(({ accountId }) => accountId === ask.param("id"))
        if (found === undefined) return yield* Result.fail(missingId(scene, ask.param("id")))
        return yield* select(pageSeen(scene, found, ask), yield* parseFields(ask.text("fields") ?? "id,name"))
      })
    )
}

const businesses: Operation = {
  name: "businesses",
  scope: "business_management",
  personAnswer: (scene) => {
    const held = pagesOf(scene).flatMap(({ business }) => (business === undefined ? [] : [business]))
    const data = [...new Map(held.map(({ id, name }) => [id, { id, name }])).values()]
    return { status: 200, body: { data } }
  }
}

/** What is asked in the name of a person instead of a Page. */
export const facebookPeople = {
  me,
  page,
  accounts,
  businesses,
  ownedPages: ofBusiness("owned"),
  clientPages: ofBusiness("client")
}
