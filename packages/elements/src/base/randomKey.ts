/** A key that no other is like, for a write that may be repeated. `crypto.randomUUID` is not there on pages by http. */
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("")
