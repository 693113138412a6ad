import { ConnectSession, type ConnectStatus } from "@loopbox/core/connecting/ConnectSession"
import { type Choosing, ConnectSessions } from "@loopbox/core/connecting/ConnectSessions"
import { MetaCallbacks } from "@loopbox/core/connecting/MetaCallbacks"
import { ConnectedAccounts } from "@loopbox/core/health/ConnectedAccounts"
import { ConnectSessionId, SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { Context, DateTime, Effect, Layer, Option, Redacted } from "effect"

/** What the services behind the pages answer; what is not scripted must not be called. */
export class Script extends Context.Service<
  Script,
  {
    sessions: Partial<ConnectSessions["Service"]>
    accounts: Partial<ConnectedAccounts["Service"]>
    callbacks: Partial<MetaCallbacks["Service"]>
  }
>()("test/Script") {
  static readonly layer = Layer.sync(Script, () => Script.of({ sessions: {}, accounts: {}, callbacks: {} }))
}

const unscripted = Effect.die("not scripted")

/** Connecting as the script has it, so that every answer can be looked at over HTTP. */
export const layer = Layer.effectContext(
  Effect.map(Script, (script) =>
    Context.empty().pipe(
      Context.add(ConnectSessions, {
        create: (...given) => Effect.suspend(() => script.sessions.create?.(...given) ?? unscripted),
        find: (...given) => Effect.suspend(() => script.sessions.find?.(...given) ?? unscripted),
        begin: (...given) => Effect.suspend(() => script.sessions.begin?.(...given) ?? unscripted),
        callback: (...given) => Effect.suspend(() => script.sessions.callback?.(...given) ?? unscripted),
        choices: (...given) => Effect.suspend(() => script.sessions.choices?.(...given) ?? unscripted),
        choose: (...given) => Effect.suspend(() => script.sessions.choose?.(...given) ?? unscripted)
      }),
      Context.add(ConnectedAccounts, {
        list: (...given) => Effect.suspend(() => script.accounts.list?.(...given) ?? unscripted),
        find: (...given) => Effect.suspend(() => script.accounts.find?.(...given) ?? unscripted),
        check: (...given) => Effect.suspend(() => script.accounts.check?.(...given) ?? unscripted),
        disconnect: (...given) => Effect.suspend(() => script.accounts.disconnect?.(...given) ?? unscripted)
      }),
      Context.add(MetaCallbacks, {
        deauthorise: (...given) => Effect.suspend(() => script.callbacks.deauthorise?.(...given) ?? unscripted),
        requestDeletion: (...given) => Effect.suspend(() => script.callbacks.requestDeletion?.(...given) ?? unscripted),
        findDeletion: (...given) => Effect.suspend(() => script.callbacks.findDeletion?.(...given) ?? unscripted)
      })
    )
  )
).pipe(Layer.provideMerge(Script.layer))

export const sessionId = ConnectSessionId.make("con_01k9j8m2x4v6q8s0t2w4y6z8ab")
export const accountId = SocialAccountId.make("acc_01k9j8m2x4v6q8s0t2w4y6z8ab")
export const otherAccountId = SocialAccountId.make("acc_01k9j8m2x4v6q8s0t2w4y6z8ac")
export const workspaceId = WorkspaceId.make("ws_01k9j8m2x4v6q8s0t2w4y6z8ab")
const startedAt = DateTime.makeUnsafe("2026-11-21T07:00:00.000Z")

type SessionFields = ConstructorParameters<typeof ConnectSession>[0]

/** A session that was begun and has long to go, unless said otherwise. */
export const sessionWith = (status: ConnectStatus, change: Partial<SessionFields> = {}) =>
  new ConnectSession({
    id: sessionId,
    workspaceId,
    network: "facebook",
    login: "facebook",
    externalUserId: Option.none(),
    status,
    returnUrl: Option.none(),
    features: ["inbox", "publish"],
    socialAccountId: Option.none(),
    accountIds: [],
    failure: Option.none(),
    createdAt: startedAt,
    expiresAt: DateTime.makeUnsafe("2100-01-01T00:00:00.000Z"),
    completedAt: Option.none(),
    ...change
  })

export const failed = (code: NonNullable<Option.Option.Value<SessionFields["failure"]>>["code"]) =>
  Option.some({ code, detail: "detail-of-mine" })

/** Secrets that must be in no log and on no page, but where they are needed. */
export const secrets = {
  link: "link-of-mine",
  cookie: "cookie-of-mine",
  form: "form-of-mine",
  state: "state-of-mine",
  code: "code-of-mine",
  signed: "signed-of-mine"
} as const

/** Names the attempt to its browser. */
export const attemptKey = "0123456789abcdef"
export const choosePath = `/connect/choose/${attemptKey}`

export const linkToken = Redacted.make(secrets.link)

export const choosing = (change: Partial<Choosing> = {}): Choosing => ({
  _tag: "Choosing",
  session: sessionWith("choosing"),
  attemptKey,
  workspaceName: "Acme",
  choices: [
    {
      key: "k1",
      name: "Corner Bakery",
      username: Option.some("corner"),
      avatarUrl: Option.some("https://pictures.example/1.jpg"),
      hindrance: Option.none(),
      isChosen: true
    },
    {
      key: "k2",
      name: "Elsewhere",
      username: Option.none(),
      avatarUrl: Option.none(),
      hindrance: Option.some("page_permission_required"),
      isChosen: false
    }
  ],
  single: false,
  formToken: Redacted.make(secrets.form),
  ...change
})
