import { join } from 'node:path'
import type { Config } from './config-schema.ts'

/** A folder that a process writes to, and the setting that names it. */
export interface WritableFolder {
  readonly folder: string
  readonly key: string
  readonly variable: string
}

/** What Postgres cannot keep is kept here: settles in the spool, uploads, images and videos. */
export function gatewayFolders(config: Pick<Config, 'dataDir' | 'blobs'>): WritableFolder[] {
  return [dataFolder(config), ...blobFolders(config)]
}

/** The folder of images and videos, where they are kept in one. */
export function blobFolders({ blobs, dataDir }: Pick<Config, 'dataDir' | 'blobs'>): WritableFolder[] {
  if (blobs.kind !== 'files') return []
  if (blobs.folder === null) return [dataFolder({ dataDir })]
  return [{ folder: blobs.folder, key: 'blobs.folder', variable: 'WEIR_BLOBS_FOLDER' }]
}

/** Where images and videos lie, of an operator who keeps them in files. */
export function blobFolderOf({ blobs, dataDir }: Pick<Config, 'dataDir' | 'blobs'>): string {
  return blobs.folder ?? join(dataDir, 'blobs')
}

function dataFolder({ dataDir }: Pick<Config, 'dataDir'>): WritableFolder {
  return { folder: dataDir, key: 'dataDir', variable: 'WEIR_DATA_DIR' }
}
