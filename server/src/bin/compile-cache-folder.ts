import { fileURLToPath } from 'node:url'

/**
 * Where Node keeps compiled modules between starts. It lies beside the code: every user of a machine can write to the
 * temporary folder, and could plant code in a cache there. Where this folder cannot be written, Node keeps no cache.
 */
export const compileCacheFolder = fileURLToPath(new URL('../../../.weir/compile-cache', import.meta.url))
