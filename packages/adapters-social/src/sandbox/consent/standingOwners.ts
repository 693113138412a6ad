import type { Network } from "../../names.ts"

/** An account as the one who signs in with it sees it. */
export interface OwnedAccount {
  readonly accountId: string
  readonly name: string
  readonly username: string
  /** Instagram: not a professional one, so that no app gets it. */
  readonly isPersonal?: boolean
  /** Facebook: what the person may do on the Page. */
  readonly tasks?: ReadonlyArray<string>
  /** Facebook: the person's role comes without a token. */
  readonly hasNoToken?: boolean
  /** Facebook: the Instagram account that is linked to the Page. */
  readonly instagram?: { readonly accountId: string; readonly name: string; readonly username: string }
  /** Facebook: the portfolio through which alone the person holds the Page. */
  readonly business?: { readonly id: string; readonly name: string; readonly relation: "owned" | "client" }
}

/** Someone who signs in at a network. */
export interface AccountOwner {
  readonly network: Network
  /** On Facebook the id for this app, which Meta's callbacks name. */
  readonly id: string
  readonly name: string
  readonly accounts: ReadonlyArray<OwnedAccount>
}

const everything = ["ANALYZE", "ADVERTISE", "MESSAGING", "MODERATE", "CREATE_CONTENT", "MANAGE"]
const newExperience = [
  "PROFILE_PLUS_ANALYZE",
  "PROFILE_PLUS_ADVERTISE",
  "PROFILE_PLUS_MESSAGING",
  "PROFILE_PLUS_MODERATE",
  "PROFILE_PLUS_CREATE_CONTENT",
  "PROFILE_PLUS_MANAGE",
  "PROFILE_PLUS_FULL_CONTROL"
]

const bakery = { accountId: "17841400000000117", name: "Stein Bakery", username: "stein.bakery" }
const market = { id: "330000000000009", name: "Market Hall Group" } as const

const single = (
  network: Network,
  id: string,
  name: string,
  username: string,
  more: Partial<OwnedAccount> = {}
): AccountOwner => ({ network, id, name, accounts: [{ accountId: id, name, username, ...more }] })

const facebookOwners: ReadonlyArray<AccountOwner> = [
  {
    network: "facebook",
    id: "122000000000000011",
    name: "Mara Stein",
    accounts: [
      {
        accountId: "110000000000011",
        name: "Stein Bakery",
        username: "steinbakery",
        tasks: everything,
        instagram: bakery
      },
      { accountId: "110000000000012", name: "Café Stein", username: "cafestein", tasks: newExperience },
      {
        accountId: "110000000000013",
        name: "Street Market",
        username: "streetmarket",
        tasks: ["ANALYZE", "ADVERTISE"]
      },
      { accountId: "110000000000014", name: "Old Mill", username: "oldmill", tasks: ["MODERATE"], hasNoToken: true },
      {
        accountId: "110000000000015",
        name: "Market Hall",
        username: "markethall",
        tasks: everything,
        business: { ...market, relation: "owned" }
      },
      {
        accountId: "110000000000016",
        name: "Harbour Stalls",
        username: "harbourstalls",
        tasks: newExperience,
        business: { ...market, relation: "client" }
      }
    ]
  },
  {
    network: "facebook",
    id: "122000000000000012",
    name: "Jonas Roth",
    accounts: [{ accountId: "110000000000021", name: "Roth Bikes", username: "rothbikes", tasks: everything }]
  },
  { network: "facebook", id: "122000000000000013", name: "Lena Vogt", accounts: [] }
]

/** People who have accounts of their own; ids of Instagram and Threads are beyond what a double holds. */
export const standingOwners: ReadonlyArray<AccountOwner> = [
  single("instagram", "17841400000000101", "Nora Blum", "nora.blum.studio"),
  single("instagram", "17841400000000103", "Finn Adler", "finn.adler"),
  single("instagram", "17841400000000105", "Pia Wolf", "pia.wolf.private", { isPersonal: true }),
  single("instagram", bakery.accountId, bakery.name, bakery.username),
  ...facebookOwners,
  single("threads", "26000000000000101", "Nora Blum", "nora.blum.studio"),
  single("threads", "26000000000000103", "Finn Adler", "finn.adler"),
  single("x", "1700000000000000101", "Nora Blum", "norablum"),
  single("x", "1700000000000000103", "Finn Adler", "finnadler")
]
