export * as MemoryAdapters from "./MemoryAdapters.ts"
