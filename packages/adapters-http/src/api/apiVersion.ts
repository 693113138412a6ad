/** The version of the package, for its document; a test holds the two together. */
export const apiVersion = "0.1.0"
