import type { Config } from '#config/config-schema.ts'
import { proveWritable } from '../prove-writable.ts'

/** That what can not be kept in Postgres can be kept here: settles in the spool, uploads, images and videos. */
export async function proveFolders(config: Config): Promise<void> {
  await proveWritable(config.dataDir, { key: 'dataDir', variable: 'WEIR_DATA_DIR' })
  await proveBlobs(config)
}

/** The folder of images and videos, where they are kept in one. */
export async function proveBlobs({ blobs, dataDir }: Config): Promise<void> {
  if (blobs.kind !== 'files') return
  if (blobs.folder === null) await proveWritable(dataDir, { key: 'dataDir', variable: 'WEIR_DATA_DIR' })
  else await proveWritable(blobs.folder, { key: 'blobs.folder', variable: 'WEIR_BLOBS_FOLDER' })
}
