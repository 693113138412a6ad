const hourMs = 3_600_000
const morning = 9

const morningOf = (now: Date, days: number): Date =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, morning)

/** Moments that a conversation may be put off until, by the reader's own clock. */
export const snoozeTimes = (now: Date) => ({
  hours: new Date(now.getTime() + 3 * hourMs),
  tomorrow: morningOf(now, 1),
  // The next Monday that is not today.
  week: morningOf(now, ((8 - now.getDay()) % 7) + (now.getDay() === 1 ? 7 : 0))
})
