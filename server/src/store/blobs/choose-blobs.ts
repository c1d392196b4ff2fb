import { assert } from '#lib/assert.ts'
import type { BlobStore } from '#ports/blob-store.ts'
import { createFileBlobs } from './file-blobs.ts'
import { createS3Blobs, type S3BlobsOptions } from './s3-blobs.ts'

export interface BlobSettings {
  readonly kind: 'files' | 's3'
  readonly s3Bucket: string | null
  readonly s3Region: string | null
  readonly s3Endpoint: string | null
  readonly s3AccessKeyId: string | null
  readonly s3SecretAccessKey: string | null
  readonly s3PathStyle: boolean
}

/** Stores images and videos in a folder or in a bucket, as the operator has chosen. */
export function chooseBlobs(settings: BlobSettings, folder: string): BlobStore {
  return settings.kind === 'files' ? createFileBlobs(folder) : createS3Blobs(s3OptionsOf(settings))
}

export function s3OptionsOf(settings: BlobSettings): S3BlobsOptions {
  const { s3Bucket, s3Region, s3Endpoint, s3AccessKeyId, s3SecretAccessKey, s3PathStyle } = settings
  assert(s3Bucket !== null && s3Region !== null, 'start-up has refused s3 without a bucket or a region')
  const isNamed = s3AccessKeyId !== null && s3SecretAccessKey !== null
  return {
    bucket: s3Bucket,
    region: s3Region,
    endpoint: s3Endpoint,
    // Null uses the credentials of the machine or its environment, as AWS tools do.
    credentials: isNamed ? { accessKeyId: s3AccessKeyId, secretAccessKey: s3SecretAccessKey } : null,
    pathStyle: s3PathStyle,
  }
}
