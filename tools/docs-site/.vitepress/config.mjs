import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { highlight } from '../highlight.ts'
import { plainMarkdown, slugOf } from './markdown.mjs'

// What `build.ts` has staged.
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
  // The switch between light and dark would otherwise write a style element, which the policy refuses.
  appearance: { disableTransition: false },
  // The names of all pages in a file of their own instead of a script in every page.
  metaChunk: true,
  markdown: {
    // A document is text: what looks like a tag or a template in it is meant to be read.
    html: false,
    attrs: { disable: true },
    anchor: { slugify: slugOf },
    highlight,
    config: plainMarkdown,
  },
  vite: {
    // Vite 5 knows no later target; the settings of the repository's compiler do not concern it.
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
