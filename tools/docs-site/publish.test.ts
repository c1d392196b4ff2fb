import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findBrokenLinks } from './find-broken-links.ts'
import { publish, withoutInline } from './publish.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-site-'))
})
afterEach(() => rm(folder, { recursive: true }))

it('moves inline scripts to files, and takes style attributes away', async () => {
  const page =
    '<script id="a">let dark</script><script src="/docs/b.js"></script><p class="c" style="color:red">style="x"</p>'
  await writeFile(join(folder, 'index.html'), page)
  await publish(folder, '/docs/')
  const html = await readFile(join(folder, 'index.html'), 'utf8')
  const name = /<script id="a" src="\/docs\/(assets\/inline\.\w{12}\.js)"><\/script>/.exec(html)?.[1] ?? ''
  expect(html).toBe(
    `<script id="a" src="/docs/${name}"></script><script src="/docs/b.js"></script><p class="c">style="x"</p>`,
  )
  expect(await readFile(join(folder, name), 'utf8')).toBe('let dark')
  expect(gunzipSync(await readFile(join(folder, 'index.html.gz'))).toString()).toBe(html)
  expect((await readFile(join(folder, `${name}.br`))).length).toBeGreaterThan(0)
})

it('has one file for the same script of many pages', () => {
  const scripts = new Map<string, string>()
  const pages = ['<script>a</script>', '<p></p><script>a</script>'].map((html) =>
    withoutInline(html, { base: '/', scripts }),
  )
  expect(scripts.size).toBe(1)
  expect(pages[1]).toBe(`<p></p>${pages[0]}`)
})

it('finds links that lead to no page, file or heading', async () => {
  await mkdir(join(folder, 'more'))
  await writeFile(join(folder, 'a.js'), '')
  await writeFile(
    join(folder, 'index.html'),
    '<h2 id="here"></h2><a href="/docs/more/page#there"></a><script src="/docs/a.js"></script>',
  )
  await writeFile(join(folder, 'more/page.html'), '<h2 id="there"></h2><a href="/docs/#here"></a><a href="#there"></a>')
  expect(findBrokenLinks(folder, '/docs/')).toEqual([])
  await writeFile(
    join(folder, 'index.html'),
    [
      '/docs/nothing',
      '/docs/more/page#nowhere',
      '/console/',
      '#gone',
      'more/page',
      'https://weir.example/x',
      '/docs/b.js',
    ]
      .map((link) => `<a href="${link}"></a>`)
      .join(''),
  )
  expect(findBrokenLinks(folder, '/docs/')).toEqual([
    'index.html: /docs/nothing',
    'index.html: /docs/more/page#nowhere',
    'index.html: /console/',
    'index.html: #gone',
    'index.html: /docs/b.js',
    'more/page.html: /docs/#here',
  ])
})
