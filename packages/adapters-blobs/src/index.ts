export * as FileBlobStore from "./files/FileBlobStore.ts"
