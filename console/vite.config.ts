import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { compressFolder } from '../tools/lib/compress-folder.ts'

/** `npm run console:dev` serves the sources and passes the API on to the gateway of `npm run dev`. */
const gateway = process.env['WEIR_CONSOLE_GATEWAY'] ?? 'http://127.0.0.1:8484'

/**
 * What the shell shows and nearly every page needs as well. In chunks of pages, it would draw their code into the
 * shell.
 */
const base = [
  'api/(?:books|call-log|client|exact-json|operator-self|recording-fetch|step-up)',
  'app/(?:operator-rights|operator-table|use-operator|wallet)',
  'lib/(?:class-names|decimal|money)',
  'ui/(?:money|skeleton)',
]
// The icons that several pages share are one chunk, because in the base they would make the shell grow with every page.
const icons = ['app/*.{ts,tsx}', 'ui/{dialog,menu,toast}.tsx'].flatMap(findIcons)
const baseModules = new RegExp(
  [
    `/(?:openapi-fetch/.*|lucide-react/(?!.*/icons/).*|lucide-react/.*/icons/(?:${icons.join('|')})`,
    `console/src/(?:${base.join('|')}))\\.(?:[jt]sx?|mjs)$`,
  ].join('|'),
)

/**
 * The file names of the icons that some modules import. `Building2` is `building-2.mjs`, a former name, which imports
 * `building-complex.mjs`.
 */
function findIcons(modules: string): readonly string[] {
  const folder = join(import.meta.dirname, 'src')
  const sources = globSync(modules, { cwd: folder }).map((path) => readFileSync(join(folder, path), 'utf8'))
  const names = sources.flatMap(
    (source) => /import \{([^}]*)\} from 'lucide-react'/.exec(source)?.[1]?.match(/\w+/g) ?? [],
  )
  return names
    .map((name) => name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Za-z])(?=\d)/g, '-').toLowerCase())
    .flatMap((name) => [name, ...findPresentName(name)])
}

function findPresentName(name: string): readonly string[] {
  const path = join(import.meta.dirname, '../node_modules/lucide-react/dist/esm/icons', `${name}.mjs`)
  if (!existsSync(path)) return []
  return /export \{ default \} from '\.\/([\w-]+)\.mjs'/.exec(readFileSync(path, 'utf8'))?.slice(1) ?? []
}

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react(), tailwindcss(), compress()],
  build: {
    target: 'es2024',
    outDir: 'dist',
    emptyOutDir: true,
    // A data: URL would be a second kind of source for images.
    assetsInlineLimit: 0,
    // The module preloader would add a polyfill that no browser of today needs.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    manifest: true,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // One file for the first load. Without merging what pages share, a page would be dozens of files of a few
          // hundred bytes.
          groups: [
            { name: 'first', tags: ['$initial'], priority: 3 },
            { name: 'base', test: baseModules, priority: 2 },
            { name: 'icons', test: /\/lucide-react\//, priority: 1, minShareCount: 4 },
            {
              name: 'shared',
              test: (id) => !id.endsWith('-page.tsx'),
              minShareCount: 2,
              entriesAware: true,
              entriesAwareMergeThreshold: 2_000,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': gateway, '/v1': gateway, '/openapi.json': gateway } },
})

function compress(): Plugin {
  return {
    name: 'weir-compress',
    apply: 'build',
    // Not before the files are written: Vite edits chunks until then.
    closeBundle: () => compressFolder(join(import.meta.dirname, 'dist'), 11),
  }
}
