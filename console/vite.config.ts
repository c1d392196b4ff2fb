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
  'api/(?:books|call-log|client|exact-json|operator-key|recording-fetch)',
  'app/(?:step-up|use-operator-key|wallet)',
  'lib/(?:class-names|decimal|money)',
  'ui/(?:money|skeleton)',
]
const baseModules = new RegExp(
  `/(?:(?:openapi-fetch|lucide-react)/.*|console/src/(?:${base.join('|')}))\\.(?:[jt]sx?|mjs)$`,
)

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
            { name: 'first', tags: ['$initial'], priority: 2 },
            { name: 'base', test: baseModules, priority: 1 },
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
