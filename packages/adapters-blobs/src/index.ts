export * as FileBlobStore from "./files/FileBlobStore.ts"
export * as ImageSizes from "./pictures/ImageSizes.ts"
export * as S3BlobStore from "./s3/S3BlobStore.ts"
export * as MusicMetadata from "./tracks/MusicMetadata.ts"
