export * as FileBlobStore from "./files/FileBlobStore.ts"
export * as ImageSizes from "./pictures/ImageSizes.ts"
export * as MusicMetadata from "./tracks/MusicMetadata.ts"
