import { AccountAdministration } from "@loopbox/core/access/AccountAdministration"
import { Administration, noLimits } from "@loopbox/core/access/Administration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Base64Url from "effect/encoding/Base64Url"
import { existsSync } from "node:fs"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { print } from "./cli/output.ts"
import { program, quoted } from "./programName.ts"
import { connectIt, demoName, findConnectAddress } from "./demoConnect.ts"
import type { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import { makeDataFolder, placesIn, readPrivateFile, writePrivateFile } from "./dataFolder.ts"
import type { HostConfig } from "./hostConfig.ts"

/** The command that writes a GIF: the checkout's own script, which any Node runs, else this package's bin. */
const gifCommand = (file: string): string => {
  const script = fileURLToPath(new URL("../../../scripts/makeGif.mjs", import.meta.url))
  return existsSync(script) ? `node ${quoted(script)} ${quoted(file)}` : `${program} demo-gif ${quoted(file)}`
}

/** Three commands for a plain shell; each works by itself, for what it needs from the one before lies in a file. */
export const tryIt = (url: string, dataFolder: string): ReadonlyArray<readonly [string, string]> => {
  const file = (name: string) => path.join(dataFolder, "demo", name)
  const curl = `curl -sS -w '\\n' -H "Authorization: Bearer $(cat ${quoted(placesIn(dataFolder).demoKey)})"`
  const id = (name: string, prefix: string) => `$(sed 's/.*"id":"\\(${prefix}_[^"]*\\)".*/\\1/' ${quoted(file(name))})`
  const jobs = `${url}/v1/media/gif-conversions`
  const job = quoted(file("job.json"))
  return [
    [
      "Upload a GIF:",
      `${gifCommand(file("demo.gif"))} && ${curl} -H "Content-Type: image/gif" --data-binary @${quoted(file("demo.gif"))} ` +
        `${url}/v1/media | tee ${quoted(file("media.json"))}`
    ],
    [
      "Convert it:",
      `${curl} -H "Content-Type: application/json" -d '{"gif_media_id":"'"${id("media.json", "med")}"'"}' ${jobs} | tee ${job}`
    ],
    [
      "Wait for the MP4 and download it:",
      `JOB=${id("job.json", "mpj")}; until ${curl} ${jobs}/$JOB > ${job}; ` +
        `! grep -q '"status":"\\(queued\\|processing\\)"' ${job}; do sleep 1; done; ` +
        `${curl} -o loopbox-demo.mp4 ${url}/v1/media/$(sed 's/.*"output_media_id":"\\(med_[^"]*\\)".*/\\1/' ${job})/content && ls -l loopbox-demo.mp4`
    ]
  ]
}

/** What a newcomer of the sandbox does: looks into the inbox, watches what comes in, and answers somebody. */
const watchIt = (url: string, dataFolder: string): ReadonlyArray<readonly [string, string]> => {
  const key = quoted(placesIn(dataFolder).demoKey)
  const curl = `curl -sS -w '\\n' -H "Authorization: Bearer $(cat ${key})"`
  const newest = `${url}/v1/inbox?inbox_scope=workspace&source=ig_comment&is_own=false&limit=1`
  const loopbox = `LOOPBOX_DATA=${quoted(dataFolder)} ${program}`
  return [
    [
      "People of the simulated networks write to the Demo accounts. Look into the inbox:",
      `${curl} "${url}/v1/inbox?inbox_scope=workspace"`
    ],
    ["Watch it live; Ctrl-C ends it:", `${loopbox} inbox watch`],
    [
      "Answer the newest comment on Instagram, and see the answer on the network's side:",
      `until ITEM=$(${curl} "${newest}" | grep -o 'itm_[0-9a-z]*'); do sleep 1; done; ` +
        `${curl} -H "Content-Type: application/json" -H "Idempotency-Key: demo" -d '{"text":"Thank you for asking!"}' ` +
        `"${url}/v1/inbox/$ITEM/reply?inbox_scope=workspace"; ` +
        `${loopbox} sandbox sent`
    ]
  ]
}

/** The workspace to try things out in; one that a start left half made is taken up again. */
const findOrMakeWorkspace = Effect.gen(function* () {
  const administration = yield* Administration
  const { items } = yield* administration.listWorkspaces({ limit: 100, after: Option.none() })
  const found = items.find(({ name }) => name === demoName)
  return found ?? (yield* administration.createWorkspace({ name: demoName, plan: "growth", limits: noLimits }))
})

export const demoAccounts = [
  { network: "instagram", networkAccountId: "17841400000000001", username: "demo.shop", owner: "customer_1" },
  { network: "facebook", networkAccountId: "100000000000001", username: "demoshop", owner: "customer_1" },
  { network: "threads", networkAccountId: "26000000000000001", username: "demo.shop", owner: undefined },
  { network: "x", networkAccountId: "1700000000000000001", username: "demoshop", owner: undefined }
] as const

/**
 * One account of each network. A start that broke off is gone on with; later only where there is none at all, so that a
 * data folder of an older version gets them too, and none that was disconnected comes back.
 */
const prepareAccounts = Effect.fnUntraced(
  function* (isFirstStart: boolean) {
    const administration = yield* AccountAdministration
    const random = yield* SecureRandom
    const workspace = yield* findOrMakeWorkspace
    const { items } = yield* administration.listAccounts(workspace.id, { limit: 100, after: Option.none() })
    for (const { network, networkAccountId, owner, username } of demoAccounts) {
      if (isFirstStart ? items.some((one) => one.network === network) : items.length > 0) continue
      yield* administration.connect(workspace.id, {
        network,
        networkAccountId,
        name: "Demo Shop",
        username: Option.some(username),
        avatarUrl: Option.none(),
        externalUserId: Option.fromUndefinedOr(owner),
        credentials: {
          accessToken: Redacted.make(`sandbox-${Base64Url.encode(yield* random.randomBytes(24))}`),
          refreshToken: Option.none(),
          expiresAt: Option.none()
        },
        permissions: []
      })
    }
  },
  Effect.catchTags({
    LimitsNeedEnterprise: Effect.die,
    WorkspaceNotFound: Effect.die,
    AccountAlreadyConnected: Effect.die,
    AccountCheckFailed: Effect.die,
    UsernameRequired: Effect.die,
    ScopeInvalid: Effect.die
  })
)

const makeKey = Effect.gen(function* () {
  const administration = yield* Administration
  const workspace = yield* findOrMakeWorkspace
  yield* administration.setMember(workspace.id, "user_demo", "owner")
  const { text } = yield* administration.issueKey(workspace.id, {
    name: "Demo",
    creatorUserId: Option.some("user_demo"),
    expiresAt: Option.none()
  })
  return text
}).pipe(
  Effect.catchTags({ LimitsNeedEnterprise: Effect.die, WorkspaceNotFound: Effect.die, CreatorNotMember: Effect.die })
)

/**
 * With nothing configured, gives a first start something to try: a workspace, its owner, a key and accounts of the
 * simulated networks. The key's file, which is written last, says that all of it is there.
 */
export const prepareDemo = Effect.fnUntraced(function* ({ dataFolder, networks }: HostConfig) {
  const { demoKey } = placesIn(dataFolder)
  const isFirstStart = Option.isNone(yield* readPrivateFile(demoKey))
  if (networks === "sandbox") yield* prepareAccounts(isFirstStart)
  if (!isFirstStart) return
  yield* makeDataFolder(path.join(dataFolder, "demo"))
  yield* writePrivateFile(demoKey, Redacted.value(yield* makeKey))
})

/** What shows all of it in a browser. */
const lookAtIt = (consoleLink: Option.Option<string>, dataFolder: string): ReadonlyArray<string> =>
  Option.match(consoleLink, {
    onNone: () => [],
    onSome: (link) => [
      "# Get a link to the console, which signs in once, within 10 minutes:",
      `LOOPBOX_DATA=${quoted(dataFolder)} ${program} console`,
      "",
      "Or see everything in your browser, by a first such link:",
      "",
      `  ${link}`,
      ""
    ]
  })

const tour = (
  url: string,
  { dataFolder, networks }: HostConfig,
  key: string,
  connectAddress: Option.Option<string>,
  consoleLink: Option.Option<string>
): string => {
  const { adminToken, demoKey } = placesIn(dataFolder)
  return [
    "",
    `Loopbox serves ${url} and has made the workspace "Demo". Its API key, also kept in ${demoKey}:`,
    "",
    `  ${key}`,
    "",
    ...connectIt(connectAddress, dataFolder),
    `The admin token is in ${adminToken}. Try it, in another terminal:`,
    "",
    ...[...(networks === "sandbox" ? watchIt(url, dataFolder) : []), ...tryIt(url, dataFolder)].flatMap(
      ([title, command]) => [`# ${title}`, command, ""]
    ),
    ...lookAtIt(consoleLink, dataFolder)
  ].join("\n")
}

const printPlaces = Effect.fnUntraced(function* (url: string, config: HostConfig, consoleLink: Option.Option<string>) {
  const { adminToken, demoKey, tourShown } = placesIn(config.dataFolder)
  const key = yield* readPrivateFile(demoKey)
  const connectAddress = yield* findConnectAddress(url, config)
  if (Option.isSome(yield* readPrivateFile(tourShown)) || Option.isNone(key)) {
    const places = [
      `  API key      ${demoKey}`,
      `  admin token  ${adminToken}`,
      ...Option.toArray(consoleLink).map((link) => `  console, once and within 10 minutes: ${link}`),
      ...Option.toArray(connectAddress).map((link) => `  connect an account within 30 minutes: ${link}`)
    ]
    return yield* print(["", `Loopbox serves ${url}`, ...places, ""].join("\n"))
  }
  yield* print(tour(url, config, key.value, connectAddress, consoleLink))
  yield* writePrivateFile(tourShown, "The commands to try were printed by a start on this folder.")
  // A stop between the two would have them shown once more.
}, Effect.uninterruptible)

/**
 * What a start prints for whoever sits before it: the tour until a start has shown it, later where things are. A first
 * start may have made the Demo and then ended before it could listen.
 *
 * The host listens by then: a database that goes away just now must not end it.
 */
export const printDemo = (
  url: string,
  config: HostConfig,
  consoleLink: Effect.Effect<Option.Option<string>, StoreUnavailable>
) =>
  consoleLink.pipe(
    Effect.flatMap((link) => printPlaces(url, config, link)),
    Effect.catchTag("StoreUnavailable", (error) =>
      Effect.logWarning(
        "what to try is not shown: the database cannot be asked just now; the next start shows it",
        error
      )
    )
  )
