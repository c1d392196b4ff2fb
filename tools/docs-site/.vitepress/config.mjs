import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { highlight } from '../highlight.ts'
import { plainMarkdown, slugOf } from './markdown.mjs'

// Written by `build.ts`.
const { base, sidebar } = JSON.parse(readFileSync(new URL('../.stage/site.json', import.meta.url), 'utf8'))

export default defineConfig({
  base,
  srcDir: '.stage/pages',
  cacheDir: '.stage/cache',
  outDir: '../../docs/dist',
  lang: 'en',
  title: 'Weir',
  description: 'A model gateway: one OpenAI-compatible API in front of every AI provider, with prepaid billing exact to the nano-dollar.',
  head: [['link', { rel: 'icon', href: `${base}weir.svg`, type: 'image/svg+xml' }]],
  cleanUrls: true,
  // Without this, the switch between light and dark would insert a style element, which the content security policy
  // blocks.
  appearance: { disableTransition: false },
  // Lists all pages in a file instead of a script in every page.
  metaChunk: true,
  markdown: {
    // Documents are plain text: tags and templates in them are shown, not interpreted.
    html: false,
    attrs: { disable: true },
    anchor: { slugify: slugOf },
    highlight,
    config: plainMarkdown,
  },
  vite: {
    // Vite 5 supports no later target, and the repository's compiler settings do not apply here.
    esbuild: { target: 'es2022', tsconfigRaw: {} },
    resolve: {
      alias: [{ find: /^.*\/VPLocalSearchBox\.vue$/, replacement: fileURLToPath(new URL('theme/search-box.vue', import.meta.url)) }],
    },
    build: { chunkSizeWarningLimit: 2_000, reportCompressedSize: false },
  },
  themeConfig: {
    logo: '/weir.svg',
    sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
    nav: [
      { text: 'Start', link: '/' },
      { text: 'Calling Weir', link: '/api' },
      { text: 'Reference', link: '/reference/' },
    ],
    docFooter: { prev: 'Before', next: 'Next' },
  },
})
