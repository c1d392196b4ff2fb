import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** `npm run console:dev` serves the sources and passes the API on to the gateway of `npm run dev`. */
const gateway = process.env['WEIR_CONSOLE_GATEWAY'] ?? 'http://127.0.0.1:8484'

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
  },
  server: { proxy: { '/api': gateway, '/v1': gateway, '/openapi.json': gateway } },
})

const compressible = /\.(?:js|css|html|svg|json)$/

/** Writes `.br` and `.gz` beside every text, so that the gateway never compresses while it answers. */
function compress(): Plugin {
  return {
    name: 'weir-compress',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      for (const [fileName, file] of Object.entries(bundle)) {
        if (!compressible.test(fileName)) continue
        const bytes = Buffer.from(file.type === 'chunk' ? file.code : file.source)
        const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
        this.emitFile({ type: 'asset', fileName: `${fileName}.br`, source: brotliCompressSync(bytes, quality) })
        this.emitFile({ type: 'asset', fileName: `${fileName}.gz`, source: gzipSync(bytes, { level: 9 }) })
      }
    },
  }
}
