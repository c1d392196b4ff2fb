import { beforeAll, describe, expect, it } from 'vitest'
import { readDocument } from '../../api-types/read-document.ts'
import { describeType } from './describe-type.ts'
import { exampleOf } from './example-of.ts'
import { listFields } from './list-fields.ts'
import type { OpenApiDocument } from './openapi.ts'
import { type ReferencePage, referencePages } from './reference-pages.ts'

const linkTo = (name: string) => `#${name}`

describe('a type in words', () => {
  it.each([
    [{ type: 'string' }, 'string'],
    [{ $ref: '#/components/schemas/Key' }, '[Key](#Key)'],
    [{ type: 'array', items: { $ref: '#/components/schemas/Key' } }, 'list of [Key](#Key)'],
    [{ anyOf: [{ type: 'null' }, { type: 'number' }] }, 'number or `null`'],
    [{ enum: ['a', 'b'] }, '`"a"` or `"b"`'],
    [{ type: 'object', patternProperties: { '.*': { type: 'integer' } } }, 'map to integer'],
    [{}, 'anything'],
  ])('of %j', (schema, words) => {
    expect(describeType(schema, linkTo)).toBe(words)
  })
})

it('fields of nested objects are listed with the names that they stand in', () => {
  const id = { type: 'string' }
  const schema = {
    type: 'object',
    required: ['data'],
    properties: {
      data: { type: 'array', items: { type: 'object', properties: { id } } },
      total: { anyOf: [{ properties: { id } }] },
    },
  }
  expect(listFields(schema).map(({ path, isRequired }) => [path, isRequired])).toEqual([
    ['data', true],
    ['data[].id', false],
    ['total', false],
    ['total.id', false],
  ])
})

it('an example has what is required, or the first field', () => {
  const schemas = { Key: { type: 'object', properties: { name: { type: 'string' }, limit: { type: 'number' } } } }
  const body = {
    type: 'object',
    required: ['n', 'key'],
    properties: { n: { type: 'integer', minimum: 3 }, key: { $ref: '#/x/Key' }, z: {} },
  }
  expect(exampleOf(body, schemas)).toEqual({ n: 3, key: { name: '…' } })
})

describe('the reference', () => {
  let document: OpenApiDocument
  let pages: readonly ReferencePage[]
  beforeAll(async () => {
    const text = await readDocument()
    document = JSON.parse(text)
    pages = referencePages(text)
  })
  const pageAt = (route: string) => pages.find((page) => page.route === `reference/${route}`)?.text ?? ''

  it('has every path of the document', () => {
    const all = pages.map(({ text }) => text).join('\n')
    const missing = Object.keys(document.paths).filter((path) => !all.includes(` ${path}\``))
    expect(missing).toEqual([])
  })

  it('shows every named schema once, with its call or on the page of schemas', () => {
    const all = pages.map(({ text }) => text).join('\n')
    const shown = (name: string) =>
      [...all.matchAll(new RegExp(`^(?:## ${name}|\\*\\*\\d+: ${name}\\*\\*)$`, 'gm'))].length
    const names = Object.keys(document.components.schemas).filter((name) => !/Body$|Request$/.test(name))
    expect(names.filter((name) => shown(name) !== 1)).toEqual([])
  })

  it('has for each call its parameters, body, answers, snippets and a form', () => {
    const section = /^## Create an API key$[\s\S]*?(?=^## )/m.exec(pageAt('keys'))?.[0] ?? ''
    expect(section).toContain('`POST /v1/keys`')
    expect(section).toContain(
      'The response contains the secret. It is not shown again. Requires an API key or a website session. [Permission](/access): `keys.manage`.',
    )
    expect(section).toContain('### Body, application/json')
    expect(section).toContain('| `name` (required) | string | Name of the key.')
    expect(section).toMatch(
      /^\| 201 \| CreateKeyReply \| The created key with its secret\. The secret is returned only once\. \|$/m,
    )
    expect(section).toMatch(/^\| 400 \| \[Error\]\(\/reference\/schemas#error\) \| /m)
    expect(section).toContain(`\`\`\`sh [curl]\ncurl -X POST 'http://127.0.0.1:8484/v1/keys'`)
    expect(section).toContain('```typescript [TypeScript]')
    expect(section).toContain('```python [Python]')
    expect(section).toContain('```try-it\ncreateKey\n```')
  })

  it('names other paths of a call beside it', () => {
    expect(pageAt('inference')).toContain('`POST /v1/videos`, also `POST /v1/video/generations`')
  })

  it('gives a form all it must know', () => {
    const head = /^operations: (.*)$/m.exec(pageAt('models'))?.[1] ?? ''
    expect(JSON.parse(head)).toContainEqual({
      id: 'getModel',
      method: 'GET',
      path: '/v1/models/{slug}',
      parameters: [{ name: 'slug', place: 'path', required: true }],
      body: null,
      takesKey: false,
    })
  })

  it('has no form for a call that takes files alone', () => {
    expect(pageAt('inference')).toContain('## Edit images')
    expect(pageAt('inference')).not.toContain('try-it\neditImage\n')
  })
})
