import { describe, expect, it } from 'vitest'
import { listFiles } from '../lib/list-files.ts'
import { repositoryRoot } from '../lib/repository-root.ts'
import { addressOf, routeOf } from './route-of.ts'
import { sidebarOf } from './sidebar.ts'
import { filesOf, siteMap } from './site-map.ts'
import { stagePages } from './stage-pages.ts'

describe('the pages of the site', () => {
  const files = [
    {
      path: 'README.md',
      text: '# Weir\n[api](docs/api.md#models), [all](docs/recipes/), [elsewhere](https://weir.example)\n![it](docs/pictures/a.png)\n',
    },
    {
      path: 'docs/api.md',
      text: '# Calling\n[first](../README.md), [program](../examples/chat.mjs), [here](#models)\n',
    },
    { path: 'docs/recipes/one.md', text: '# Do one thing\n' },
    { path: 'docs/errors.md', text: '# Errors\n\nGenerated from `a` by `npm run docs`; do not edit.\n\nMore.\n' },
    { path: 'examples/chat.mjs', text: 'const fence = "```"\n' },
    { path: 'docs/contract/clauses.tsv', text: 'id\tarea\tclause\nCHAT-01\tfoundation\tanswers a|b\n' },
  ]
  const pages = stagePages(files, ['README.md', 'docs/errors.md', 'docs/contract/clauses.tsv'])

  it('are those of the map, and all that they link to', () => {
    expect([...pages.keys()].sort()).toEqual([
      'api',
      'contract',
      'errors',
      'index',
      'recipes/index',
      'recipes/one',
      'source/examples/chat-mjs',
    ])
  })

  it('link to each other by their addresses', () => {
    expect(pages.get('index')).toContain('[api](/api#models), [all](/recipes/), [elsewhere](https://weir.example)')
    expect(pages.get('index')).toContain('![it](/pictures/a.png)')
    expect(pages.get('api')).toContain('[first](/), [program](/source/examples/chat-mjs), [here](#models)')
    expect(pages.get('recipes/index')).toBe('# Recipes\n\n- [Do one thing](/recipes/one)\n')
  })

  it('show a program as it is, in a fence that it cannot end, and leave it out of the search', () => {
    expect(pages.get('source/examples/chat-mjs')).toMatch(/search: false[\s\S]*````js\nconst fence = "```"\n````\n$/)
  })

  it('do not tell readers what not to edit', () => {
    expect(pages.get('errors')).toBe('# Errors\n\nMore.\n')
  })

  it('show the contract as tables', () => {
    expect(pages.get('contract')).toContain(
      '## Foundation\n| Clause | What holds |\n|---|---|\n| CHAT-01 | answers a\\|b |\n',
    )
  })

  it('fail for a link that leads nowhere', () => {
    expect(() => stagePages([{ path: 'README.md', text: '[a](nothing/)' }], ['README.md'])).toThrow(
      /nothing is linked to/,
    )
  })
})

describe('the map', () => {
  const map = siteMap([])
  const files = listFiles(repositoryRoot)

  it('names files that exist, and every document of docs', () => {
    const paths = files.map(({ path }) => path)
    expect(filesOf(map).filter((file) => !paths.includes(file))).toEqual([])
    const documents = paths.filter((path) => /^docs\/.*\.md$/.test(path))
    expect(documents.filter((path) => !filesOf(map).includes(path))).toEqual([])
  })

  it('gives every file a place of its own', () => {
    const routes = filesOf(map).map(routeOf)
    expect(new Set(routes).size).toBe(routes.length)
  })

  it('becomes a sidebar whose sections stand open', () => {
    const [start, use] = sidebarOf(siteMap([{ title: 'Keys', route: 'reference/keys' }]))
    expect(start).toEqual({
      text: 'Start',
      items: [
        { text: 'What it is, and how to try it', link: '/' },
        { text: 'Your tool in five lines', link: '/tools' },
        { text: 'Examples', link: '/examples/' },
      ],
    })
    expect(use?.items?.slice(1, 4)).toEqual([
      {
        text: 'Reference of the API',
        link: '/reference/',
        items: [{ text: 'Keys', link: '/reference/keys' }],
        collapsed: true,
      },
      { text: 'Errors', link: '/errors' },
      { text: 'Models and prices', link: '/api#models' },
    ])
  })
})

it.each([
  ['README.md', '/'],
  ['docs/ARCHITECTURE.md', '/architecture'],
  ['docs/decisions/README.md', '/decisions/'],
  ['docs/decisions/money.md', '/decisions/money'],
  ['CODE_OF_CONDUCT.md', '/code-of-conduct'],
  ['SECURITY.md', '/reporting'],
  ['server/src/http/server.ts', '/source/server/src/http/server-ts'],
  ['LICENSE', '/source/LICENSE'],
])('%s is at %s', (file, address) => {
  expect(addressOf(routeOf(file))).toBe(address)
})
