/**
 * Meta's name for the answer of a person after the standard window (social-networks.md §3). The same on Instagram's own
 * login, as far as Meta documents it.
 */
export const humanAgent = "HUMAN_AGENT"
