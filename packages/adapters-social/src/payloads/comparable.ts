/** The network gives a text back as it was sent. */
export const unchanged = (text: string): string => text

/** Without the handles in front, which a network adds. */
export const withoutHandles = (text: string): string => text.replace(/^(?:@\w[\w.]*\s+)+/u, "")
