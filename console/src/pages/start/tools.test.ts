import { expect, test } from 'vitest'
import { tools } from './tools.ts'

const terms = { origin: 'https://weir.example', key: 'sk-weir-1', model: 'acme/large' }

test.each(tools)('$label is told the address and the model', ({ lines }) => {
  const code = lines(terms)
  expect(code).toContain('https://weir.example')
  expect(code).toContain('acme/large')
  expect(code).toMatch(/sk-weir-1|WEIR_KEY/)
})

test('SDKs of Anthropic add the version to the path themselves', () => {
  const code = tools.find(({ id }) => id === 'anthropic-js')?.lines(terms)
  expect(code).toContain("baseURL: 'https://weir.example'")
})
