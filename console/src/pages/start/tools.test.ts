import { readFileSync } from 'node:fs'
import { join } from 'node:path'
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

// The conformance suite runs the code blocks of docs/tools.md verbatim.
const manual = readFileSync(join(import.meta.dirname, '../../../../docs/tools.md'), 'utf8')

test.each([
  ['openai-js', 'OpenAI SDK, JavaScript'],
  ['anthropic-js', 'Anthropic SDK, JavaScript'],
  ['ai-sdk', 'AI SDK'],
  ['claude-code', 'Claude Code'],
  ['codex', 'Codex'],
])('%s is told what the manual says, which is run', (id, heading) => {
  const [, lines = ''] = new RegExp(`### ${heading}\\n[^]*?\`\`\`\\w+\\n([^]*?)\`\`\``).exec(manual) ?? []
  const told = tools.find((tool) => tool.id === id)?.lines(terms) ?? ''
  expect(withoutGaps(told)).toBe(withoutGaps(filledIn(lines)))
})

/** Returns the lines of the manual with its variables replaced by the terms. */
function filledIn(lines: string): string {
  const { origin, key, model } = terms
  return lines
    .replaceAll(/`\$\{process\.env\.WEIR_URL\}(\S*)`/g, `'${origin}$1'`)
    .replaceAll('process.env.WEIR_URL', `'${origin}'`)
    .replaceAll('process.env.WEIR_KEY', `'${key}'`)
    .replaceAll('$WEIR_URL', origin)
    .replaceAll('$WEIR_KEY', key)
    .replaceAll('http://127.0.0.1:8484', origin)
    .replaceAll('test/echo', model)
}

function withoutGaps(lines: string): string {
  return lines.trim().replaceAll(/\n+/g, '\n')
}
