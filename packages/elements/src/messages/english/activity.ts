/** Texts of the page Activity. */
export const englishActivity = {
  heading: "Activity",
  lead: "What this host has done, and what it has to do.",
  hour: "Last hour",
  day: "Last day",
  range: "Time",
  charts: {
    requests: "Requests",
    request_seconds: "Time of a request",
    items_in: "Items that came in",
    replies: "Replies by outcome",
    conversions: "Conversions by outcome",
    conversion_seconds: "Time of a conversion",
    posts: "Posts by outcome",
    overlays: "Sounds laid over videos, by outcome",
    deliveries: "Deliveries to your addresses, by outcome",
    queue_depth: "Waiting in queues",
    delivery_lag: "Events to their first delivery",
    webhook_lag: "From networks to the inbox",
    network_budget: "Used budgets of networks"
  } satisfies Readonly<Record<string, string>>,
  labels: {
    mean: "Mean",
    webhook: "By webhook",
    poll: "By poll",
    completed: "Answered",
    sent: "Sent",
    succeeded: "Succeeded",
    failed: "Failed",
    canceled: "Canceled",
    published: "Published",
    delivered: "Delivered",
    outcome_unknown: "Unknown",
    conversions_queued: "Conversions",
    conversions_processing: "Converting",
    overlays_queued: "Sounds",
    webhooks_pending: "From networks",
    instagram: "Instagram",
    facebook: "Facebook",
    threads: "Threads",
    x: "X"
  } satisfies Readonly<Record<string, string>>,
  units: { count: "", seconds: "s", percent: "%" },
  nothing: "Nothing in this time.",
  table: "As a table",
  time: "Time",
  empty: "Nothing has happened yet",
  emptyText: "The first points stand here ten seconds after the start."
}

export type ActivityMessages = typeof englishActivity
