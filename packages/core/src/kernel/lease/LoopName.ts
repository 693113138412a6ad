/**
 * Every background loop of the program, those of the adapters included.
 *
 * One list, so that a test can make each of them meet a defect (packages/core/test/kernel/lease/everyLoop.test.ts): a new loop needs
 * a name here, and the test does not compile until it says how that loop is made to fail.
 */
export type LoopName =
  | "accounts.check"
  | "conversions.claim"
  | "conversions.wakeUps"
  | "feed.changes"
  | "feed.channel"
  | "feed.poll"
  | "ffmpeg.progress"
  | "ffmpeg.scratch"
  | "gauges"
  | "inbox.counters"
  | "inbox.sweep"
  | "media.sweep"
  | "postgres.clock"
  | "postgres.listen"
  | "postgres.log"
  | "postgres.signals"
  | "process.gauges"
  | "profiles.claim"
  | "replies.claim"
  | "replies.results"
  | "replies.wakeUps"
  | "sandbox.life"
  | "sockets.changes"
  | "sockets.judge"
  | "sockets.judgeDue"
  | "sockets.memory"
  | "sync.claim"
  | "sync.results"
  | "sync.wakeUps"
  | "webhooks.claim"
  | "webhooks.wakeUps"
