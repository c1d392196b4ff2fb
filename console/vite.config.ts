import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

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

const compressible = /\.(?:js|css|html|svg)$/

/** Writes `.br` and `.gz` beside every text, so that the gateway never compresses while it answers. */
function compress(): Plugin {
  return {
    name: 'weir-compress',
    apply: 'build',
    // Not before the files are written: Vite edits chunks until then.
    async closeBundle() {
      const folder = join(import.meta.dirname, 'dist')
      const files = await readdir(folder, { recursive: true })
      await Promise.all(files.filter((file) => compressible.test(file)).map((file) => compressFile(join(folder, file))))
    },
  }
}

async function compressFile(path: string): Promise<void> {
  const bytes = await readFile(path)
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  await writeFile(`${path}.br`, await brotli(bytes, { params }))
  await writeFile(`${path}.gz`, await zip(bytes, { level: 9 }))
}
