import { expect, it } from 'vitest'
import { assert } from '#lib/assert.ts'
import { parseJsonObject } from '#lib/json.ts'
import { findVendor } from '#providers/registry.ts'
import { openAiTarget } from '../openai-target.ts'
import { buildChatRequest } from './build-request.ts'

it.each([
  ['openai', true],
  ['mistral', false],
  ['groq', false],
])('V16: the newest fields of OpenAI reach %s: %s', (slug, isSent) => {
  const vendor = findVendor(slug)
  assert(vendor?.protocol === 'openai', `${slug} speaks chat completions`)
  const target = openAiTarget({ vendor, baseUrl: null, credential: 'k', upstreamModel: 'm', openAiFamily: true })
  const fields = { moderation: { model: 'omni' }, prompt_cache_options: { ttl: '12h' } }
  const body = { model: 'm', messages: [], ...fields }
  const request = buildChatRequest(target, { body, stream: false, maxTokens: null })
  const sent = parseJsonObject(request.body) ?? {}
  if (isSent) expect(sent).toMatchObject(fields)
  else for (const field of Object.keys(fields)) expect(sent).not.toHaveProperty(field)
  expect(request.ignored).toEqual(isSent ? [] : Object.keys(fields))
})
