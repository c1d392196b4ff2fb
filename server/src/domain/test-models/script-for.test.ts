import { describe, expect, test } from 'vitest'
import { isJsonObject, type JsonObject, objectAt, parseJsonObject, stringAt } from '#lib/json.ts'
import { fixedTestModels } from './known-test-models.ts'
import { piecesOf } from './words.ts'
import { scriptFor } from './script-for.ts'
import type { Script } from './script.ts'

const ask = (content: string, more: JsonObject = {}): JsonObject => ({ messages: [{ role: 'user', content }], ...more })
const streamed = (content: string, more: JsonObject = {}) => ask(content, { stream: true, ...more })

function textOf(script: Script): string {
  return script.steps.map((step) => (step.kind === 'bytes' ? step.text : '')).join('')
}

function framesOf(script: Script): JsonObject[] {
  return textOf(script)
    .split('\n\n')
    .map((frame) => parseJsonObject(frame.replace(/^data: /, '')))
    .filter((frame) => frame !== undefined)
}

function choiceOf(answer: JsonObject): JsonObject {
  const choice = Array.isArray(answer.choices) ? answer.choices[0] : undefined
  return isJsonObject(choice) ? choice : {}
}

function bodyOf(script: Script): JsonObject {
  return parseJsonObject(textOf(script)) ?? {}
}

function joined(script: Script, field: string): string {
  return framesOf(script)
    .map((frame) => stringAt(objectAt(choiceOf(frame), 'delta'), field) ?? '')
    .join('')
}

const finishesOf = (script: Script) => framesOf(script).flatMap((frame) => choiceOf(frame).finish_reason ?? [])
const usageOf = (script: Script) =>
  framesOf(script).flatMap((frame) => (isJsonObject(frame.usage) ? [frame.usage] : []))
const kindsOf = (script: Script) => script.steps.map((step) => step.kind)
const waitsOf = (script: Script) => script.steps.flatMap((step) => (step.kind === 'bytes' ? [step.afterMs] : []))

const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1 }, unit: { type: 'string' } },
      required: ['city', 'days'],
    },
  },
}
const clock = { type: 'function', function: { name: 'get_time' } }

/** The names of the tools that test/tools calls when the request has both. */
function calledBy(choices: JsonObject) {
  const answer = bodyOf(scriptFor('test/tools', ask('hi', { tools: [weather, clock], ...choices })))
  const calls = objectAt(choiceOf(answer), 'message').tool_calls
  return Array.isArray(calls) ? calls.filter(isJsonObject).map((call) => objectAt(call, 'function').name) : []
}

describe('a whole answer', () => {
  test('the stream is role, words, finish, usage and [DONE], and joins to the JSON answer', () => {
    const script = scriptFor('test/echo', streamed('  Hello there,\n world '))
    expect(script).toMatchObject({ status: 200, headersAfterMs: 0 })
    expect(script.headers['content-type']).toContain('text/event-stream')
    expect(joined(script, 'content')).toBe('  Hello there,\n world ')
    expect(finishesOf(script)).toEqual(['stop'])
    expect(framesOf(script)).toHaveLength(1 + 3 + 1 + 1)
    expect(textOf(script).endsWith('data: [DONE]\n\n')).toBe(true)
    expect(kindsOf(script).at(-1)).toBe('end')

    const whole = bodyOf(scriptFor('test/echo', ask('  Hello there,\n world ')))
    expect(objectAt(choiceOf(whole), 'message').content).toBe('  Hello there,\n world ')
    expect(whole.usage).toEqual(usageOf(script)[0])
  })

  test('the prompt counts a token for four characters of all messages, the answer one for each word', () => {
    const body = {
      messages: [
        { role: 'system', content: 'be brief' },
        { role: 'user', content: [{ type: 'text', text: 'one two three' }, { type: 'image_url' }] },
      ],
    }
    const { usage } = bodyOf(scriptFor('test/echo', body))
    expect(usage).toMatchObject({ prompt_tokens: Math.ceil(21 / 4), completion_tokens: 3, total_tokens: 9 })
  })

  test('the same request gives the same bytes, with every model', () => {
    for (const name of Object.keys(fixedTestModels)) {
      const once = scriptFor(`test/${name}`, streamed('hello'))
      expect(scriptFor(`test/${name}`, streamed('hello'))).toEqual(once)
    }
  })

  test('an output cap cuts every answer, and reasoning spends it first', () => {
    const capped = scriptFor('test/text', streamed('hi', { max_tokens: 3 }))
    expect(joined(capped, 'content')).toBe('Water finds its')
    expect(finishesOf(capped)).toEqual(['length'])
    const thinking = scriptFor('test/reasoning', streamed('hi', { max_completion_tokens: 4 }))
    expect(joined(thinking, 'content')).toBe('')
    expect(usageOf(thinking)[0]).toMatchObject({
      completion_tokens: 4,
      completion_tokens_details: { reasoning_tokens: 4 },
    })
  })

  test('a huge prompt of short words is not answered without bound', () => {
    const script = scriptFor('test/echo', streamed('a '.repeat(200_000)))
    expect(script.steps.length).toBeLessThan(17_000)
    expect(finishesOf(script)).toEqual(['length'])
  })

  test('long runs of blanks are split in linear time', () => {
    const text = `x${' '.repeat(500_000)}`
    expect(piecesOf(text).join('')).toBe(text)
    expect(piecesOf(' \n ')).toEqual([' \n '])
  })
})

describe('the models', () => {
  test('test/reasoning thinks before it answers, and counts both', () => {
    const script = scriptFor('test/reasoning', streamed('hi'))
    const reasoningWords = joined(script, 'reasoning_content').split(' ').length
    const textWords = joined(script, 'content').split(' ').length
    expect(usageOf(script)[0]).toMatchObject({
      completion_tokens: reasoningWords + textWords,
      completion_tokens_details: { reasoning_tokens: reasoningWords },
    })
  })

  test('test/tools calls each tool in parallel with its required arguments', () => {
    const script = scriptFor('test/tools', streamed('hi', { tools: [weather, clock] }))
    const calls: Record<number, string> = {}
    for (const frame of framesOf(script)) {
      const deltas = objectAt(choiceOf(frame), 'delta').tool_calls
      for (const call of Array.isArray(deltas) ? deltas.filter(isJsonObject) : []) {
        const { name = '', arguments: fragment = '' } = objectAt(call, 'function')
        calls[Number(call.index)] = `${calls[Number(call.index)] ?? ''}${String(name)}${String(fragment)}`
      }
    }
    expect(calls).toEqual({ 0: 'get_weather{"city":"city","days":1}', 1: 'get_time{}' })
    expect(finishesOf(script)).toEqual(['tool_calls'])
  })

  test('test/tools obeys tool_choice and parallel_tool_calls', () => {
    expect(calledBy({ tool_choice: 'none' })).toEqual([])
    expect(calledBy({ parallel_tool_calls: false })).toEqual(['get_weather'])
    expect(calledBy({ tool_choice: { type: 'function', function: { name: 'get_time' } } })).toEqual(['get_time'])
  })

  test('test/tools answers with text once it has the results', () => {
    const messages = [
      { role: 'user', content: 'weather?' },
      { role: 'assistant', content: null, tool_calls: [] },
      { role: 'tool', tool_call_id: 'call_test_1_0', content: 'rain' },
    ]
    const answer = bodyOf(scriptFor('test/tools', { messages, tools: [weather] }))
    expect(choiceOf(answer)).toMatchObject({ message: { content: 'The tools answered: rain' }, finish_reason: 'stop' })
  })

  test('test/json answers with an instance of the schema', () => {
    const schema = weather.function.parameters
    const format = { response_format: { type: 'json_schema', json_schema: { name: 'weather', schema } } }
    expect(joined(scriptFor('test/json', streamed('hi', format)), 'content')).toBe('{"city":"city","days":1}')
    expect(joined(scriptFor('test/json', streamed('hi')), 'content')).toBe('{"ok":true}')
  })

  test('test/long has as many words as max_tokens, else 2,000', () => {
    expect(usageOf(scriptFor('test/long', streamed('hi', { max_tokens: 77 })))[0]).toMatchObject({
      completion_tokens: 77,
    })
    const uncapped = scriptFor('test/long', streamed('hi'))
    expect(usageOf(uncapped)[0]).toMatchObject({ completion_tokens: 2000 })
    expect(finishesOf(uncapped)).toEqual(['stop'])
  })

  test('test/error-<status> answers with that status, and 429 says when to retry', () => {
    for (const status of [300, 400, 401, 500, 503, 599]) {
      const script = scriptFor(`test/error-${status}`, ask('hi'))
      expect(script.status).toBe(status)
      expect(objectAt(bodyOf(script), 'error').message).toBe(`This is test/error-${status}.`)
      expect(script.headers['retry-after']).toBeUndefined()
    }
    expect(scriptFor('test/error-429', streamed('hi')).headers['retry-after']).toBe('1')
  })

  test('test/slow-<ms> delays the first token, and the headers of an answer in one piece', () => {
    const slow = scriptFor('test/slow-250', streamed('hi'))
    expect(slow.headersAfterMs).toBe(0)
    expect(waitsOf(slow)[0]).toBe(250)
    expect(Math.max(...waitsOf(slow).slice(1))).toBe(0)
    expect(scriptFor('test/slow-250', ask('hi')).headersAfterMs).toBe(250)
  })

  test('test/drip-<ms> waits between words', () => {
    const script = scriptFor('test/drip-20', streamed('hi', { max_tokens: 3 }))
    expect(waitsOf(script)).toEqual([0, 0, 20, 20, 0, 0, 0])
    expect(scriptFor('test/drip-20', ask('hi', { max_tokens: 3 })).headersAfterMs).toBe(40)
  })

  test('broken answers never claim to be finished', () => {
    for (const name of ['truncated', 'cut', 'stall', 'silent', 'stream-error']) {
      for (const body of [streamed('hi'), ask('hi')]) {
        const script = scriptFor(`test/${name}`, body)
        expect(finishesOf(script)).toEqual([])
        expect(textOf(script)).not.toMatch(/\[DONE\]|prompt_tokens/)
      }
    }
    expect(kindsOf(scriptFor('test/truncated', streamed('hi'))).at(-1)).toBe('end')
    expect(kindsOf(scriptFor('test/cut', streamed('hi'))).at(-1)).toBe('cut')
    expect(kindsOf(scriptFor('test/stall', streamed('hi')))).toEqual(['bytes', 'stall'])
    expect(scriptFor('test/silent', streamed('hi'))).toMatchObject({ headersAfterMs: null, steps: [{ kind: 'stall' }] })
    expect(framesOf(scriptFor('test/stream-error', streamed('hi'))).at(-1)).toHaveProperty('error.type', 'server_error')
  })

  test('test/cut has sent some words before it breaks', () => {
    expect(joined(scriptFor('test/cut', streamed('hi')), 'content')).toMatch(/^Water finds/)
  })

  test('usage can be missing or zero', () => {
    expect(usageOf(scriptFor('test/no-usage', streamed('hi')))).toEqual([])
    expect(bodyOf(scriptFor('test/no-usage', ask('hi'))).usage).toBeUndefined()
    expect(usageOf(scriptFor('test/zero-usage', streamed('hi')))[0]).toMatchObject({ total_tokens: 0 })
  })

  test('finish reasons and refusals', () => {
    expect(finishesOf(scriptFor('test/length', streamed('hi')))).toEqual(['length'])
    expect(finishesOf(scriptFor('test/content-filter', streamed('hi')))).toEqual(['content_filter'])
    const refusal = scriptFor('test/refusal', streamed('hi'))
    expect(joined(refusal, 'refusal')).toMatch(/^I cannot/)
    expect(joined(refusal, 'content')).toBe('')
  })

  test('an unknown name is answered 404', () => {
    expect(scriptFor('test/nothing', ask('hi')).status).toBe(404)
  })
})

describe('directives on test/echo', () => {
  test.each([
    ['#status=503', { status: 503 }],
    ['#delay=200', { headersAfterMs: 200 }],
    ['#silent', { headersAfterMs: null }],
  ])('%s', (directive, expected) => {
    expect(scriptFor('test/echo', ask(`hi ${directive}`))).toMatchObject(expected)
  })

  test('they are removed from the echoed text, and other hashes stay', () => {
    const script = scriptFor('test/echo', streamed('one #finish=length two #usage=100,20 #three #cached=50'))
    expect(joined(script, 'content')).toBe('one two #three')
    expect(finishesOf(script)).toEqual(['length'])
    expect(usageOf(script)[0]).toMatchObject({
      prompt_tokens: 100,
      completion_tokens: 20,
      prompt_tokens_details: { cached_tokens: 50 },
    })
  })

  test('#truncate, #cut, #stall and #stream-error end the answer early', () => {
    expect(textOf(scriptFor('test/echo', streamed('hi #truncate')))).not.toContain('[DONE]')
    expect(kindsOf(scriptFor('test/echo', streamed('hi #cut'))).at(-1)).toBe('cut')
    expect(kindsOf(scriptFor('test/echo', streamed('hi #stall'))).at(-1)).toBe('stall')
    expect(textOf(scriptFor('test/echo', streamed('hi #stream-error')))).toContain('"error"')
  })

  test('#drip and #words shape the answer', () => {
    const script = scriptFor('test/echo', streamed('#words=500 #drip=20'))
    expect(usageOf(script)[0]).toMatchObject({ completion_tokens: 500 })
    expect(waitsOf(script).filter((waitMs) => waitMs === 20)).toHaveLength(499)
  })

  test('#tool calls that tool once, and echoes when it has the result', () => {
    const body = ask('#tool=get_weather Oslo?', { tools: [weather] })
    const call = objectAt(choiceOf(bodyOf(scriptFor('test/echo', body))), 'message').tool_calls
    expect(call).toEqual([
      {
        id: 'call_test_1_0',
        type: 'function',
        function: { name: 'get_weather', arguments: '{"city":"city","days":1}' },
      },
    ])
    const messages = [
      { role: 'user', content: '#tool=get_weather Oslo?' },
      { role: 'tool', content: 'rain' },
    ]
    expect(choiceOf(bodyOf(scriptFor('test/echo', { messages })))).toMatchObject({ message: { content: 'Oslo?' } })
  })

  test.each(['#status=abc', '#status=99', '#delay=60001', '#cut=1', '#usage=5', '#words', '#tool='])(
    '%s is a mistake that its author hears of',
    (directive) => {
      const script = scriptFor('test/echo', ask(directive))
      expect(script.status).toBe(400)
      expect(textOf(script)).toContain(directive)
    },
  )
})
