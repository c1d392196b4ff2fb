import { join } from 'node:path'

/** The official SDKs with a lock file of their own, and a module for each that makes its calls. */
export const sdksFolder = join(import.meta.dirname, 'sdks')
