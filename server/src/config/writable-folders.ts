import { join } from 'node:path'
import type { Config } from './config-schema.ts'

/** A folder that a process writes to, and its setting. */
export interface WritableFolder {
  readonly folder: string
  readonly key: string
  readonly variable: string
}

/** Folders for data outside Postgres: spooled settles, uploads, images and videos. */
export function gatewayFolders(config: Pick<Config, 'dataDir' | 'blobs'>): WritableFolder[] {
  return [dataFolder(config), ...blobFolders(config)]
}

/** The folder of images and videos, if they are stored as files. */
export function blobFolders({ blobs, dataDir }: Pick<Config, 'dataDir' | 'blobs'>): WritableFolder[] {
  if (blobs.kind !== 'files') return []
  if (blobs.folder === null) return [dataFolder({ dataDir })]
  return [{ folder: blobs.folder, key: 'blobs.folder', variable: 'WEIR_BLOBS_FOLDER' }]
}

/** The folder of images and videos, for an operator who stores them as files. */
export function blobFolderOf({ blobs, dataDir }: Pick<Config, 'dataDir' | 'blobs'>): string {
  return blobs.folder ?? join(dataDir, 'blobs')
}

function dataFolder({ dataDir }: Pick<Config, 'dataDir'>): WritableFolder {
  return { folder: dataDir, key: 'dataDir', variable: 'WEIR_DATA_DIR' }
}
