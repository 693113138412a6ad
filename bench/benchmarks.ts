import type { Benchmark } from "./Benchmark.ts"

/** Every benchmark by its name. Each is loaded only when it is asked for, so that one cannot slow another. */
export const benchmarks: ReadonlyMap<string, () => Promise<Benchmark>> = new Map([
  ["probe", async () => (await import("./probe.ts")).probe],
  ["conversion", async () => (await import("./conversion.ts")).conversion],
  ["overlay", async () => (await import("./overlay.ts")).overlay],
  ["claim-settle", async () => (await import("./claimSettle.ts")).claimSettle],
  ["start", async () => (await import("./start.ts")).start],
  ["start-latency", async () => (await import("./startLatency.ts")).startLatency],
  ["webhook-to-socket", async () => (await import("./webhookToSocket.ts")).webhookToSocket],
  ["fan-out", async () => (await import("./fanOut.ts")).fanOut],
  ["sockets", async () => (await import("./idleSockets.ts")).idleSockets],
  ["storm", async () => (await import("./storm.ts")).storm],
  ["list", async () => (await import("./list.ts")).list],
  ["threads", async () => (await import("./threads.ts")).threads],
  ["submit", async () => (await import("./submit.ts")).submit],
  ["search", async () => (await import("./search.ts")).search],
  ["deep-page", async () => (await import("./deepPage.ts")).deepPage],
  ["unread", async () => (await import("./unread.ts")).unread],
  ["ingest", async () => (await import("./ingest.ts")).ingest],
  ["webhooks-out", async () => (await import("./webhooksOut.ts")).webhooksOut],
  ["webhooks-lanes", async () => (await import("./webhooksLanes.ts")).webhooksLanes],
  ["publish", async () => (await import("./publish.ts")).publish],
  ["page-start", async () => (await import("./pageStart.ts")).pageStart],
  ["page-scroll", async () => (await import("./pageScroll.ts")).pageScroll],
  ["page-memory", async () => (await import("./pageMemory.ts")).pageMemory],
  ["item-writes", async () => (await import("./itemWrites.ts")).itemWrites],
  ["scale", async () => (await import("./scale.ts")).scale],
  ["router", async () => (await import("./router.ts")).router],
  ["sync", async () => (await import("./sync.ts")).sync]
])
