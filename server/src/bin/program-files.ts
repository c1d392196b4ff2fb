import { join } from 'node:path'

/** Where the files lie that this program reads or starts beside its own code. */
export interface ProgramFiles {
  /** The clone of the repository, where there is one: `weir dev` watches its sources and builds its console. */
  readonly cloneFolder: string | null
  /** States the version. */
  readonly packageFile: string
  /** The schema that this program ships: its migrations and functions. */
  readonly sqlFolder: string
  readonly starterCatalogue: string
  /** What `npm run console:build` wrote. */
  readonly consoleFolder: string
  /** What `npm run docs:build` wrote. */
  readonly docsFolder: string
  /**
   * Where Node keeps compiled modules between starts. It lies beside the code: every user of a machine can write to the
   * temporary folder, and could plant code in a cache there. Where this folder cannot be written, Node keeps no cache.
   */
  readonly compileCacheFolder: string
  /** The command line. */
  readonly weir: string
  /** A thread of the content filters. */
  readonly filterWorker: string
  /** The catalogue of the demo. */
  readonly demoCatalogue: string
  /**
   * The payment provider of the demo, which is one of the tests: it is started by its path, so that nothing here
   * imports it, and no release has it.
   */
  readonly paymentSimulator: string | null
}

const server = join(import.meta.dirname, '../..')
const root = join(server, '..')

/** In a clone of the repository. `npm run build` puts `built-program-files.ts` in the place of this file. */
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
}
