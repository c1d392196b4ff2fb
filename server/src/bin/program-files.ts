import { join } from 'node:path'

/** Paths of the files that this program reads or starts besides its own code. */
export interface ProgramFiles {
  /** The clone of the repository, or null. `weir dev` watches its sources and builds its console. */
  readonly cloneFolder: string | null
  /** Contains the version. */
  readonly packageFile: string
  /** The migrations and functions that this program ships. */
  readonly sqlFolder: string
  readonly starterCatalogue: string
  /** The output of `npm run console:build`. */
  readonly consoleFolder: string
  /** The output of `npm run docs:build`. */
  readonly docsFolder: string
  /**
   * The folder of Node's compile cache. It is beside the code, because every user of a machine can write to the
   * temporary folder and could plant code in a cache there. If the folder is not writable, Node keeps no cache.
   */
  readonly compileCacheFolder: string
  /** The command line. */
  readonly weir: string
  /** A thread of the content filters. */
  readonly filterWorker: string
  /** The catalogue of the demo. */
  readonly demoCatalogue: string
  /**
   * The demo's payment provider, which is part of the tests. It is started by its path, so that nothing here imports it
   * and no release contains it.
   */
  readonly paymentSimulator: string | null
  /** The demo's mail server with its page, likewise. */
  readonly inbox: string | null
}

const server = join(import.meta.dirname, '../..')
const root = join(server, '..')

/** The layout of a clone of the repository. `npm run build` replaces this file with `built-program-files.ts`. */
export const programFiles: ProgramFiles = {
  cloneFolder: root,
  packageFile: join(server, 'package.json'),
  sqlFolder: join(server, 'sql'),
  starterCatalogue: join(server, 'catalogue/starter.json'),
  consoleFolder: join(root, 'console/dist'),
  docsFolder: join(root, 'docs/dist'),
  compileCacheFolder: join(root, '.weir/compile-cache'),
  weir: join(server, 'src/bin/weir.ts'),
  filterWorker: join(server, 'src/bin/filter-worker.ts'),
  demoCatalogue: join(server, 'test/samples/catalogue.json'),
  paymentSimulator: join(server, 'test/simulators/payments/main.ts'),
  inbox: join(server, 'test/simulators/inbox/main.ts'),
}
