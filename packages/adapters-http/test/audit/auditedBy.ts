import type { AuditAction } from "@loopbox/core/audit/AuditEvent"

interface Audited {
  /** What its change is audited as: all that it may be. */
  readonly as: ReadonlyArray<AuditAction>
  /** Why it is not. */
  readonly because?: string
}

const as = (...actions: ReadonlyArray<AuditAction>): Audited => ({ as: actions })
const not = (because: string): Audited => ({ as: [], because })

const nothing = not("it changes nothing")
const work = not("reading, sorting and answering is daily work, and told by events")
const media = not("files and media jobs are in nobody's list of B19")

/** The same of reading: what is told of a person as a whole. */
export const auditedReads: Readonly<Record<string, Audited>> = {
  "accounts.exportManagedUser": as("managed_user.exported")
}

/** What every operation that is no GET is audited as; a test compares the list with the API. */
export const auditedBy: Readonly<Record<string, Audited>> = {
  "admin.createWorkspace": not("its first events are those of its members and keys"),
  "admin.updateWorkspace": as("workspace.updated"),
  "admin.eraseWorkspace": not("its audit is erased with it"),
  "admin.setMember": as("member.set"),
  "admin.removeMember": as("member.removed"),
  "admin.issueKey": as("api_key.created"),
  "admin.revokeKey": as("api_key.revoked"),
  "admin.advanceClock": not("it is of the whole installation, and of tests"),
  "accounts.putManagedUser": as("managed_user.created"),
  "accounts.eraseManagedUser": as("managed_user.erased"),
  "accounts.connect": as("account.connected", "managed_user.created"),
  "accounts.update": as("account.updated", "account.moved", "managed_user.created"),
  "accounts.disconnect": as("account.disconnected"),
  "accounts.issueDashboardToken": not("a token of an hour for a member, whose role is audited"),
  "connectedAccounts.check": nothing,
  "connectedAccounts.reconnect": not("a link; what a person makes of it is audited as account.updated"),
  "connectedAccounts.disconnect": as("account.disconnected"),
  "connect.createSession": not("a link; what a person makes of it is audited as account.connected"),
  "posts.create": as("post.created"),
  "posts.validate": nothing,
  "posts.edit": as("post.updated"),
  "posts.remove": as("post.deleted"),
  "posts.publish": as("post.published"),
  "posts.cancel": as("post.canceled"),
  "posts.retryTarget": as("post.target_retried"),
  "posts.removeTarget": as("post.target_deleted"),
  "moderation.hide": as("item.hidden"),
  "moderation.unhide": as("item.unhidden"),
  "moderation.remove": as("item.deleted"),
  "moderation.batch": as("item.hidden", "item.unhidden"),
  "moderation.like": work,
  "moderation.unlike": work,
  "moderation.markUnread": work,
  "inbox.markRead": work,
  "inbox.markAllRead": work,
  "inbox.setThreadState": work,
  "outbound.reply": work,
  "outbound.privateReply": work,
  "threads.markRead": work,
  "threads.setState": work,
  "threads.setLabels": work,
  "notes.create": work,
  "notes.remove": work,
  "webhookEndpoints.create": as("webhook_endpoint.created"),
  "webhookEndpoints.update": as("webhook_endpoint.updated"),
  "webhookEndpoints.remove": as("webhook_endpoint.deleted"),
  "webhookEndpoints.rotateSecret": as("webhook_endpoint.secret_rotated"),
  "webhookEndpoints.test": not("an example is sent; its delivery is kept"),
  "webhookEndpoints.redeliver": work,
  "webhookEndpoints.replay": work,
  "savedReplies.create": work,
  "savedReplies.update": work,
  "savedReplies.remove": work,
  "sync.start": work,
  "media.upload": media,
  "media.finish": media,
  "media.remove": media,
  "conversions.create": media,
  "conversions.cancel": media,
  "overlays.create": media,
  "overlays.cancel": media
}
