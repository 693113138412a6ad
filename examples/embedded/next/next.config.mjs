/** Packages that stay as they are: Loopbox finds programs and files beside its own. */
export default { serverExternalPackages: ["@loopbox/embedded"] }
