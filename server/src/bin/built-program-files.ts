import { join } from 'node:path'
import type { ProgramFiles } from './program-files.ts'

// Built modules are in one folder of the package.
const root = join(import.meta.dirname, '..')

/** The layout of the package that `npm run build` writes. */
export const programFiles: ProgramFiles = {
  cloneFolder: null,
  packageFile: join(root, 'package.json'),
  sqlFolder: join(root, 'sql'),
  starterCatalogue: join(root, 'catalogue/starter.json'),
  consoleFolder: join(root, 'console'),
  docsFolder: join(root, 'docs'),
  compileCacheFolder: join(root, 'compile-cache'),
  weir: join(root, 'bin/weir.js'),
  filterWorker: join(root, 'server/filter-worker.js'),
  demoCatalogue: join(root, 'catalogue/demo.json'),
  paymentSimulator: null,
  inbox: null,
}
