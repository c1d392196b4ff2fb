import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'
import { repositoryRoot } from '../lib/repository-root.ts'
import { vocabularyAsData } from './vocabulary-as-data.ts'
import { keepClosuresYoung } from './young-closures.ts'

const server = join(repositoryRoot, 'server')
const bin = join(server, 'src/bin')

/** Entry points, each started by its path: a command and a thread. */
const input = {
  weir: join(bin, 'weir.ts'),
  'filter-worker': join(bin, 'filter-worker.ts'),
}

/**
 * Bundles the server and all imported packages into a few modules with source maps. Lazily loaded code stays separate.
 * Returns the files that were read.
 */
export async function bundleServer(folder: string): Promise<readonly string[]> {
  const bundle = await rolldown({
    input,
    cwd: server,
    platform: 'node',
    plugins: [builtProgramFiles, vocabularyAsData(folder)],
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(`The bundler warns: ${log.message}`)
    },
  })
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    sourcemap: true,
    sourcemapExcludeSources: true,
    sourcemapPathTransform: (source, map) => relative(repositoryRoot, resolve(dirname(map), source)),
    // Saves a third of the bytes read at every start. Functions keep their names and lines, for errors without a source
    // map.
    minify: { compress: true, mangle: { keepNames: true }, codegen: false },
    comments: false,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  })
  // After minification, which would restore the shorter form.
  for (const { type, fileName } of output) {
    const file = join(folder, fileName)
    if (type === 'chunk') writeFileSync(file, keepClosuresYoung(readFileSync(file, 'utf8')))
  }
  return output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []))
}

/** A package has a different file layout than a clone. */
const builtProgramFiles: Plugin = {
  name: 'built-program-files',
  load: {
    filter: { id: join(bin, 'program-files.ts') },
    handler: () => `export { programFiles } from './built-program-files.ts'`,
  },
}
