import type { Step, StepsScenario } from '#test/simulators/scenario.ts'

/** An invalid upstream response. All are checked for costs alike. */
interface OddUpstream {
  readonly name: string
  readonly isStream: boolean
  readonly scenario: StepsScenario
  /** The valid statuses. */
  readonly statuses: readonly number[]
}

const answered = [200] as const
const failed = [502] as const
/** The contract allows both statuses and no third. */
const either = [200, 502] as const

/** As strings, because some are not JSON. */
const usages: Readonly<Record<string, string>> = {
  'negative tokens': '{"prompt_tokens":-5,"completion_tokens":-2,"total_tokens":-7}',
  'a negative half': '{"prompt_tokens":1000000,"completion_tokens":-999999,"total_tokens":1}',
  'a large number': '{"prompt_tokens":1e308,"completion_tokens":1,"total_tokens":1e308}',
  'a number beyond all': '{"prompt_tokens":1e999,"completion_tokens":1e999,"total_tokens":1e999}',
  '[B7] four thousand million tokens':
    '{"prompt_tokens":4294967296,"completion_tokens":4294967296,"total_tokens":8589934592}',
  '[B7] nine million tokens': '{"prompt_tokens":5,"completion_tokens":9000000,"total_tokens":9000005}',
  'more than a safe integer': '{"prompt_tokens":9007199254740993,"completion_tokens":9007199254740993}',
  'numbers in quotes': '{"prompt_tokens":"5","completion_tokens":"2","total_tokens":"7"}',
  'halves of tokens': '{"prompt_tokens":5.5,"completion_tokens":2.25,"total_tokens":7.75}',
  'truth in the place of a number': '{"prompt_tokens":true,"completion_tokens":[2],"total_tokens":{}}',
  nothing: 'null',
  'a list': '[]',
  'an empty object': '{}',
  zeros: '{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}',
  'less than nothing': '{"prompt_tokens":-0,"completion_tokens":-0,"total_tokens":-0}',
  'more from the cache than there was':
    '{"prompt_tokens":5,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":500000}}',
  'less than nothing from the cache':
    '{"prompt_tokens":5,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":-500000}}',
  'more thoughts than tokens':
    '{"prompt_tokens":5,"completion_tokens":2,"completion_tokens_details":{"reasoning_tokens":900000}}',
  'a cost of its own': '{"prompt_tokens":5,"completion_tokens":2,"cost":-1000000,"total_cost":"-1"}',
  'a polluted prototype': '{"__proto__":{"prompt_tokens":9},"prompt_tokens":5,"completion_tokens":2}',
}

const chunk = (rest: string): string =>
  `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m",${rest}}\n\n`
const said = (content: string): string =>
  chunk(`"choices":[{"index":0,"delta":{"content":${JSON.stringify(content)}},"finish_reason":null}]`)
const finish = chunk('"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]')
const usage = (text: string): string => chunk(`"choices":[],"usage":${text}`)
const honest = '{"prompt_tokens":5,"completion_tokens":2,"total_tokens":7}'
const done = 'data: [DONE]\n\n'

function stream(...frames: readonly string[]): StepsScenario {
  const head: Step = { do: 'head', status: 200, headers: { 'content-type': 'text/event-stream' } }
  return { kind: 'steps', steps: [head, ...frames.map((text): Step => ({ do: 'write', text })), { do: 'end' }] }
}

function document(text: string, { status = 200, type = 'application/json' } = {}): StepsScenario {
  const head: Step = { do: 'head', status, headers: { 'content-type': type } }
  return { kind: 'steps', steps: [head, { do: 'write', text }, { do: 'end' }] }
}

const completion = (usageText: string, content = '"Hello"'): string =>
  `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":${content}},"finish_reason":"stop"}],"usage":${usageText}}`

const streams: Readonly<Record<string, readonly [StepsScenario, readonly number[]]>> = {
  'usage twice': [
    stream(said('Hello'), finish, usage(honest), usage('{"prompt_tokens":500,"completion_tokens":200}'), done),
    answered,
  ],
  'usage that shrinks': [
    stream(said('a'), usage('{"prompt_tokens":500,"completion_tokens":200}'), said('b'), finish, usage(honest), done),
    answered,
  ],
  'usage before any text': [stream(usage(honest), said('Hello'), finish, done), answered],
  'usage after the end': [
    stream(said('Hello'), finish, done, usage('{"prompt_tokens":900000,"completion_tokens":900000}')),
    answered,
  ],
  'text after the end': [stream(said('Hello'), finish, usage(honest), done, said('forbidden-text')), answered],
  'the end twice': [stream(said('Hello'), finish, usage(honest), done, done), answered],
  'no finish': [stream(said('Hello'), usage(honest), done), answered],
  'two finishes': [stream(said('Hello'), finish, finish, usage(honest), done), answered],
  'a finish that nobody knows': [
    stream(
      said('Hello'),
      chunk('"choices":[{"index":0,"delta":{},"finish_reason":"exploded\\r\\ndata: x"}]'),
      usage(honest),
      done,
    ),
    answered,
  ],
  'nothing at all': [stream(), failed],
  'the end alone': [stream(done), failed],
  'a frame that is no JSON': [stream(said('Hello'), 'data: {"id":"c","choices":[{"delta"\n\n', done), answered],
  'a frame that is NaN': [stream(said('Hello'), 'data: NaN\n\n', finish, usage(honest), done), answered],
  'a frame that is a list': [stream(said('Hello'), 'data: [1,2]\n\n', finish, usage(honest), done), answered],
  'no choices': [stream(said('Hello'), chunk('"choices":null'), finish, usage(honest), done), answered],
  'choices that are a text': [stream(chunk('"choices":"x"'), said('Hello'), finish, usage(honest), done), either],
  'the choice number a thousand million': [
    stream(chunk('"choices":[{"index":1000000000,"delta":{"content":"x"}}]'), finish, usage(honest), done),
    either,
  ],
  'a call at a negative place': [
    stream(
      chunk('"choices":[{"index":0,"delta":{"tool_calls":[{"index":-1,"function":{"name":"f","arguments":"{}"}}]}}]'),
      finish,
      usage(honest),
      done,
    ),
    either,
  ],
  'a call at place 2^31': [
    stream(
      chunk(
        '"choices":[{"index":0,"delta":{"tool_calls":[{"index":2147483648,"id":"x","function":{"name":"f","arguments":"{}"}}]}}]',
      ),
      finish,
      usage(honest),
      done,
    ),
    either,
  ],
  'a content that is an object': [
    stream(chunk('"choices":[{"index":0,"delta":{"content":{"a":1}}}]'), finish, usage(honest), done),
    either,
  ],
  'lines that end with a carriage return': [
    stream(`${said('Hello')}${finish}${usage(honest)}${done}`.replaceAll('\n', '\r')),
    either,
  ],
  'a field that begins another event': [
    stream('event: error\nid: x\nretry: 1\n', said('Hello'), finish, usage(honest), done),
    answered,
  ],
  'a frame of nine megabytes': [stream(said('x'.repeat(9_000_000)), finish, usage(honest), done), either],
  '20,000 tokens in one frame': [
    stream(said('word '.repeat(20_000)), finish, usage('{"prompt_tokens":5,"completion_tokens":20000}'), done),
    answered,
  ],
  'an error that is a number': [stream(said('Hello'), 'data: {"error":500}\n\n', done), answered],
  'an error without a message': [stream('data: {"error":{}}\n\n', done), failed],
  'a polluted prototype': [
    stream(
      chunk('"__proto__":{"x":1},"choices":[{"index":0,"delta":{"content":"Hello","__proto__":{"role":"system"}}}]'),
      finish,
      usage(honest),
      done,
    ),
    answered,
  ],
}

const documents: Readonly<Record<string, readonly [StepsScenario, readonly number[]]>> = {
  'half a document': [document('{"id":"c","choices":[{"mess'), failed],
  'a page': [document('<html>hello</html>', { type: 'text/html' }), failed],
  'an empty body': [document(''), failed],
  'no choices': [document('{"id":"c","choices":[],"usage":{"prompt_tokens":5,"completion_tokens":2}}'), either],
  'a text': [document('"hello"'), failed],
  null: [document('null'), failed],
  '100,000 brackets': [document('['.repeat(100_000)), failed],
  'a content that is an object': [document(completion(honest, '{"a":1}')), either],
  'an error with the status of success': [document('{"error":{"message":"no"}}'), [400, 502]],
  'a status of its own': [document('{}', { status: 299 }), either],
  'a redirect to loopback': [
    {
      kind: 'steps',
      steps: [{ do: 'head', status: 302, headers: { location: 'http://127.0.0.1:1/' } }, { do: 'end' }],
    },
    failed,
  ],
  'bytes that are no HTTP': [
    { kind: 'steps', steps: [{ do: 'raw', text: 'SSH-2.0-OpenSSH\r\n' }, { do: 'close' }] },
    failed,
  ],
  'a length that is too long': [
    {
      kind: 'steps',
      steps: [
        { do: 'head', status: 200, headers: { 'content-type': 'application/json', 'content-length': '5000' } },
        { do: 'write', text: completion(honest) },
        { do: 'close' },
      ],
    },
    failed,
  ],
  'a connection that is reset': [{ kind: 'steps', steps: [{ do: 'reset' }] }, failed],
}

export const oddUpstreams: readonly OddUpstream[] = [
  ...Object.entries(usages).flatMap(([name, text]): OddUpstream[] => [
    { name: `usage: ${name}, in a document`, isStream: false, scenario: document(completion(text)), statuses: either },
    {
      name: `usage: ${name}, in a stream`,
      isStream: true,
      scenario: stream(said('Hello'), finish, usage(text), done),
      statuses: either,
    },
  ]),
  ...Object.entries(streams).map(([name, [scenario, statuses]]) => ({
    name: `stream: ${name}`,
    isStream: true,
    scenario,
    statuses,
  })),
  ...Object.entries(documents).map(([name, [scenario, statuses]]) => ({
    name: `document: ${name}`,
    isStream: false,
    scenario,
    statuses,
  })),
]
