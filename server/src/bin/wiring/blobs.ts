import { join } from 'node:path'
import type { Config } from '#config/config-schema.ts'
import { assert } from '#lib/assert.ts'
import type { BlobStore } from '#ports/blob-store.ts'
import { createFileBlobs } from '#store/blobs/file-blobs.ts'
import { createS3Blobs } from '#store/blobs/s3-blobs.ts'

/** Where images are kept, as the operator has chosen. */
export function wireBlobs({ blobs, dataDir }: Config): BlobStore {
  if (blobs.kind === 'files') return createFileBlobs(blobs.folder ?? join(dataDir, 'blobs'))
  const { s3Bucket, s3Region, s3Endpoint, s3AccessKeyId, s3SecretAccessKey, s3PathStyle } = blobs
  assert(s3Bucket !== null && s3Region !== null, 'start-up has refused s3 without a bucket or a region')
  const isNamed = s3AccessKeyId !== null && s3SecretAccessKey !== null
  return createS3Blobs({
    bucket: s3Bucket,
    region: s3Region,
    endpoint: s3Endpoint,
    credentials: isNamed ? { accessKeyId: s3AccessKeyId, secretAccessKey: s3SecretAccessKey } : null,
    pathStyle: s3PathStyle,
  })
}
