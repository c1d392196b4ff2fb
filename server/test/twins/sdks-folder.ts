import { join } from 'node:path'

/** The official SDKs with their own lock file, and a module for each that makes its calls. */
export const sdksFolder = join(import.meta.dirname, 'sdks')
