import { expect, it } from 'vitest'
import { testTicket } from '#test/streams/test-ticket.ts'
import { suggestOverride } from './suggest-override.ts'

const [candidate = expect.fail()] = testTicket().plan.candidates
const { account, upstreamModel } = candidate
const suggest = (body: object, ...words: string[]) =>
  suggestOverride(candidate, { body: JSON.stringify(body) }, words)?.replace(
    `weir provider override ${account.name} --model ${upstreamModel} `,
    '',
  )

it.each([
  [{ seed: 7 }, "Unknown parameter: 'seed'.", '--leave-out seed'],
  [
    { generationConfig: { topA: 1 } },
    'Invalid JSON payload received. Unknown name "topA" at \'generation_config\'',
    '--leave-out generationConfig.topA',
  ],
  [
    { max_tokens: 16 },
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    '--output-cap max_completion_tokens',
  ],
])('a refusal of %j that says %s can be ended', (body, words, options) => {
  expect(suggest(body, words)).toBe(options)
  expect(suggest(body, 'Bad request.', words)).toBe(options)
})

it.each([
  [{ seed: 7 }, "Unknown parameter: 'user'."],
  [{ messages: [] }, "property 'messages' is unsupported"],
  [{ systemInstruction: {} }, 'Invalid JSON payload received. Unknown name "systemInstruction": Cannot find field.'],
  [{ generationConfig: { maxOutputTokens: 1 } }, 'Unknown name "maxOutputTokens" at \'generation_config\''],
  [{ seed: 7 }, 'The prompt is too long.'],
])('nothing is suggested to %j for %s', (body, words) => {
  expect(suggest(body, words)).toBeUndefined()
})

it('nothing is suggested for a form', () => {
  expect(suggestOverride(candidate, { body: ['--form', 'name="seed"'] }, ["Unknown parameter: 'seed'."])).toBeNull()
})
