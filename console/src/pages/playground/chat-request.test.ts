import { expect, test } from 'vitest'
import { emptyAnswer } from './answer.ts'
import { chatCall, noSettings, settingErrors, type Turn } from './chat-request.ts'

function bodyOf(...terms: Parameters<typeof chatCall>): Record<string, unknown> {
  return JSON.parse(chatCall(...terms).body ?? '') as Record<string, unknown>
}

test('each model is told its own answers and no other ones', () => {
  const turn: Turn = {
    id: 1,
    prompt: 'Hi',
    image: null,
    answers: { 'a/one': { ...emptyAnswer, text: 'I am one' }, 'a/failed': emptyAnswer },
  }
  const next = { prompt: 'Who?', image: null }
  expect(bodyOf('a/one', [turn], next, noSettings, false)['messages']).toEqual([
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'I am one' },
    { role: 'user', content: 'Who?' },
  ])
  expect(bodyOf('a/failed', [turn], next, noSettings, false)['messages']).toEqual([{ role: 'user', content: 'Who?' }])
})

test('settings that are empty are not sent', () => {
  const question = { prompt: 'Hi', image: null }
  expect(bodyOf('a/one', [], question, noSettings, false)).toEqual({
    model: 'a/one',
    messages: [{ role: 'user', content: 'Hi' }],
    stream: true,
  })
  const settings = { system: 'Be brief.', temperature: '0.2', maxTokens: '50', tools: '[]' }
  expect(bodyOf('a/one', [], question, settings, true)).toMatchObject({
    temperature: 0.2,
    max_tokens: 50,
    tools: [],
    modalities: ['text', 'image'],
  })
})

test('settings that the API would not understand are found before they are sent', () => {
  expect(settingErrors(noSettings)).toEqual({})
  expect(Object.keys(settingErrors({ system: '', temperature: 'hot', maxTokens: '1.5', tools: '{}' }))).toEqual([
    'temperature',
    'maxTokens',
    'tools',
  ])
})
