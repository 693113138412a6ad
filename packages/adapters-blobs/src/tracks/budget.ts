/** How much a file may have read of it: its tracks are told by far less, or by nothing. */
export const budget_bytes = 16 * 1024 * 1024
