import { describe, expect, it } from 'vitest'
import type { ReplyContext } from '#dialects/dialect.ts'
import type { StreamPart } from '#domain/inference/stream-part.ts'
import type { JsonObject } from '#lib/json.ts'
import { flatToolName, leftTools } from './client-tools.ts'
import { codexRequest } from './fixtures/codex-request.ts'
import { readEvents } from './fixtures/read-events.ts'
import { readItems } from './read-items.ts'
import { readToolChoice, readTools } from './read-tools.ts'
import { relayTools } from './relay-tools.ts'
import { responsesDialect } from './responses-dialect.ts'

const weather = { type: 'function', name: 'get', parameters: { type: 'object' }, defer_loading: true }
const namespace = { type: 'namespace', name: 'mcp__weather', description: 'Weather.', tools: [weather] }
const search = { type: 'tool_search', execution: 'client', parameters: { type: 'object' } }
const patch = { type: 'custom', name: 'apply_patch', format: { type: 'grammar', definition: 'start: "x"' } }

describe('V2: the tools that a client runs', () => {
  it.each<[JsonObject, string[]]>([
    [weather, []],
    [patch, []],
    [namespace, ['responses']],
    [search, ['responses', 'functions']],
    [{ type: 'tool_search', execution: 'server' }, ['openai', 'responses', 'functions']],
    [{ type: 'tool_search' }, ['openai', 'responses', 'functions']],
    [{ type: 'local_shell' }, ['functions']],
    [{ type: 'apply_patch' }, ['functions']],
    [{ type: 'shell', environment: { type: 'local' } }, ['responses', 'functions']],
    [{ type: 'shell', environment: { type: 'container_auto' } }, ['openai', 'responses', 'functions']],
    [{ type: 'web_search' }, ['openai', 'responses', 'functions']],
    [{ type: 'mcp', server_url: 'https://a.example' }, ['openai', 'responses', 'functions']],
    [{ type: 'programmatic_tool_calling' }, ['openai', 'responses', 'functions']],
    [{ type: 'tomorrow' }, ['openai', 'responses', 'functions']],
  ])('%j is left out for upstreams that know %j', (tool, knowledge) => {
    const left = (['openai', 'responses', 'functions'] as const).filter((each) => {
      const isLeft = leftTools({ tools: [tool] }, each).length > 0
      const isRelayed = each !== 'functions' && relayTools({ tools: [tool] }, each).tools !== undefined
      if (each !== 'functions') expect(isRelayed).toBe(!isLeft)
      return isLeft
    })
    expect(left).toEqual(knowledge)
  })

  it('are named once for each type, in letters that a header can hold', () => {
    const tools = [{ type: 'web_search' }, { type: 'web_search' }, { type: 'a,b\r\nc' }, {}]
    expect(leftTools({ tools }, 'openai')).toEqual(['tools.web_search', 'tools.a_b__c', 'tools.'])
  })

  it('pass to OpenAI as they are, and may be chosen there', () => {
    const tools = [namespace, search, patch]
    expect(relayTools({ tools }, 'openai')).toEqual({ tools })
    const choice = { type: 'function', name: 'get', namespace: 'mcp__weather' }
    expect(relayTools({ tools, tool_choice: choice }, 'openai')).toEqual({ tools, tool_choice: choice })
    const other = { type: 'function', name: 'get', namespace: 'mcp__other' }
    expect(relayTools({ tools, tool_choice: other }, 'openai')).toEqual({ tools })
  })

  it('are functions for everybody else', () => {
    const tools = readTools({ tools: [namespace, search, patch] })
    expect(tools).toMatchObject([
      { name: 'mcp__weather__get', parameters: { type: 'object' } },
      {
        name: 'apply_patch',
        description: 'The input must match this grammar:\nstart: "x"',
        parameters: { required: ['input'] },
      },
    ])
    const choice = (chosen: JsonObject) => readToolChoice(chosen, tools)
    expect(choice({ type: 'function', name: 'get', namespace: 'mcp__weather' })).toEqual({
      kind: 'tool',
      name: 'mcp__weather__get',
    })
    expect(choice({ type: 'custom', name: 'apply_patch' })).toEqual({ kind: 'tool', name: 'apply_patch' })
    expect(choice({ type: 'function', name: 'get' })).toBeNull()
  })

  it('have flat names of at most 64 letters, and no two the same', () => {
    expect(flatToolName('a'.repeat(70), undefined)).toBe('a'.repeat(70))
    expect(flatToolName('get', 'n')).toBe('n__get')
    const long = ['x', 'y'].map((end) => flatToolName(`${'a'.repeat(70)}${end}`, 'n'))
    expect(long.map(({ length }) => length)).toEqual([64, 64])
    expect(new Set(long).size).toBe(2)
    expect(long[0]).toMatch(/^n__a+_[0-9a-f]{8}$/)
  })
})

const called = (name: string, ...pieces: string[]): StreamPart[] => [
  { kind: 'tool-call-started', choice: 0, index: 0, id: 'call_1', name },
  ...pieces.map((json): StreamPart => ({ kind: 'tool-call-added', choice: 0, index: 0, json })),
  { kind: 'finished', choice: 0, reason: 'tool_calls', native: null },
]

describe('V2: a call of such a tool', () => {
  const context: ReplyContext = {
    id: 'gen-1',
    createdS: 1,
    model: 'm',
    requestBody: codexRequest,
    excludeReasoning: false,
  }
  const play = (parts: StreamPart[]) => {
    const writer = responsesDialect.createWriter(context)
    return readEvents(parts.map((part) => writer.write(part)).join('') + writer.close(null))
  }

  it('has its name and namespace again', () => {
    const events = play(called('mcp__files__read', '{"a":1}'))
    const item = { type: 'function_call', name: 'read', namespace: 'mcp__files', call_id: 'call_1' }
    expect(events.find(({ type }) => type === 'response.output_item.added')?.item).toMatchObject(item)
    expect(events.at(-1)?.response).toMatchObject({ output: [{ ...item, arguments: '{"a":1}', status: 'completed' }] })
  })

  it.each([
    ['its argument', ['{"in', 'put":"*** Begin"}'], '*** Begin'],
    ['the input itself', ['*** Begin'], '*** Begin'],
    ['nothing', [], ''],
  ])('with free text has the text of %s', (_what, pieces, input) => {
    const events = play(called('apply_patch', ...pieces))
    const types = events.map(({ type }) => type.replace('response.', ''))
    expect(types.slice(2, -1)).toEqual([
      'output_item.added',
      ...(input === '' ? [] : ['custom_tool_call_input.delta']),
      'custom_tool_call_input.done',
      'output_item.done',
    ])
    expect(events.at(-1)?.response).toMatchObject({
      output: [{ type: 'custom_tool_call', name: 'apply_patch', call_id: 'call_1', input, status: 'completed' }],
    })
  })

  it('is told to other upstreams under its flat name when it comes back', () => {
    const { turns } = readItems(undefined, [
      { type: 'function_call', call_id: 'c1', name: 'read', namespace: 'mcp__files', arguments: '{}' },
      { type: 'custom_tool_call', call_id: 'c2', name: 'apply_patch', input: '*** Begin' },
    ])
    expect(turns).toMatchObject([
      {
        parts: [
          { kind: 'tool-call', name: 'mcp__files__read', argumentsJson: '{}' },
          { kind: 'tool-call', name: 'apply_patch', argumentsJson: '{"input":"*** Begin"}' },
        ],
      },
    ])
  })
})
