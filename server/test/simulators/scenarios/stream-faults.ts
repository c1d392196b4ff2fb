import { isJsonObject, parseJson } from '../json-value.ts'
import type { Step, StepsScenario } from '../scenario.ts'
import { cutAfterWrites, mapWrites } from './change-steps.ts'
import type { UsageNumbers } from './answer.ts'
import type { GoodStreamOptions } from './good-stream.ts'
import { defaultPieces, goodStream } from './good-stream.ts'
import { dataFrame, doneFrame, vendorStream } from './vendor-stream.ts'

/** The position of the break is counted in OpenAI's frames, so these faults offer no other vendor. */
interface PiecesOption {
  pieces?: readonly string[]
}

/** The role chunk, then silence. */
export function roleOnlyThenStall(): StepsScenario {
  return cutAfterWrites(goodStream({}), 1, { do: 'stall' })
}

/** Some text, then the vendor's error frame and the end. */
export function textThenError(options: GoodStreamOptions & { doneAfterError?: boolean } = {}): StepsScenario {
  const { vendor = 'openai', pieces = defaultPieces, doneAfterError = false } = options
  return vendorStream(vendor, { kind: 'mid-stream-error', pieces, doneAfterError })
}

export function textNoUsage(options: GoodStreamOptions = {}): StepsScenario {
  return goodStream(options, null)
}

export function zeroUsage(options: GoodStreamOptions = {}): StepsScenario {
  return goodStream(options, { prompt: 0, completion: 0 })
}

/** Tokens read but none generated, and a normal stop: the input is still charged. */
export function inputOnlyUsage(prompt = 16): StepsScenario {
  return vendorStream('openai', { kind: 'text', pieces: [], usage: { prompt, completion: 0 } })
}

/** Usage grows on every chunk; the last one counts, and the sum would be far too much. */
export function cumulativeUsage(options: { pieces?: readonly string[]; usage?: UsageNumbers } = {}): StepsScenario {
  const { pieces = defaultPieces, usage = { prompt: 16, completion: pieces.length } } = options
  return vendorStream('vllm', { kind: 'text', pieces, usage, variant: 'continuous-usage' })
}

/** The usage chunk comes twice, with the same numbers. */
export function repeatedUsage(options: GoodStreamOptions = {}): StepsScenario {
  return mapWrites(goodStream(options), (text) => (text.includes('"choices":[]') ? text + text : text))
}

/** A frame that is not JSON, after some text. */
export function invalidJsonFrame({ pieces = defaultPieces }: PiecesOption = {}): StepsScenario {
  const broken = 'data: {"id":"chatcmpl-A1","choices":[{"index":0,"delta":{"content":"br\n\n'
  return cutAfterWrites(
    goodStream({ pieces }),
    pieces.length + 1,
    { do: 'write', text: broken },
    { do: 'write', text: doneFrame },
    { do: 'end' },
  )
}

/** Text, then a clean end of the body without finish reason, usage or `[DONE]`. */
export function truncatedStream({ pieces = defaultPieces }: PiecesOption = {}): StepsScenario {
  return cutAfterWrites(goodStream({ pieces }), pieces.length + 1, { do: 'end' })
}

/** Text, then RST. */
export function resetMidStream({ pieces = defaultPieces }: PiecesOption = {}): StepsScenario {
  return cutAfterWrites(goodStream({ pieces }), pieces.length + 1, { do: 'reset' })
}

/** Text, then the connection closes without the end of the chunked body. */
export function closeMidStream({ pieces = defaultPieces }: PiecesOption = {}): StepsScenario {
  return cutAfterWrites(goodStream({ pieces }), pieces.length + 1, { do: 'close' })
}

/** A normal stream without the finish chunk and the usage, but with `[DONE]`. */
export function noFinishButDone({ pieces = defaultPieces }: PiecesOption = {}): StepsScenario {
  return cutAfterWrites(goodStream({ pieces }), pieces.length + 1, { do: 'write', text: doneFrame }, { do: 'end' })
}

/** Every frame follows a pause. */
export function drip(options: GoodStreamOptions & { delayMs: number }): StepsScenario {
  const scenario = goodStream(options)
  const pause: Step = { do: 'wait', delayMs: options.delayMs }
  const steps = scenario.steps.flatMap((step): Step[] => (step.do === 'write' ? [pause, step] : [step]))
  return { ...scenario, steps }
}

/** One content delta of this many bytes between two small ones. */
export function hugeChunk(bytes: number): StepsScenario {
  return goodStream({ pieces: ['before ', 'x'.repeat(bytes), ' after'] })
}

/** A frame of this many bytes that never reaches its blank line. */
export function endlessFrame(bytes: number): StepsScenario {
  const part = 'x'.repeat(65_536)
  const writes = Array.from({ length: Math.ceil(bytes / part.length) }, () => ({ do: 'write' as const, text: part }))
  return cutAfterWrites(goodStream({}), 1, { do: 'write', text: 'data: {"id":"' }, ...writes, { do: 'stall' })
}

/** Ids and model names with line breaks, separators and NUL: harmless as JSON, but not as a header or a log line. */
export function headerInjection(): StepsScenario {
  const odd = { id: 'chatcmpl-\r\nset-cookie: a=b\r\n\r\n', model: 'gpt\u2028x\u2029\u0000\ndata: [DONE]' }
  const scenario = mapWrites(goodStream({}), (text) => {
    const chunk = parseJson(text.slice('data: '.length))
    return isJsonObject(chunk) ? dataFrame({ ...chunk, ...odd }) : text
  })
  const steps = scenario.steps.map((step) =>
    step.do === 'head'
      ? { ...step, headers: { ...step.headers, 'x-request-id': 'req_%0d%0aset-cookie:a=b\t\u00e9"<script>' } }
      : step,
  )
  return { ...scenario, steps }
}
