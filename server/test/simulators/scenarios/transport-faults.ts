import type { Scenario, Step, StepsScenario } from '../scenario.ts'
import type { Wire } from '../wire.ts'
import type { GoodStreamOptions } from './good-stream.ts'
import { goodStream } from './good-stream.ts'
import { vendorCompletion } from './vendor-completion.ts'

/** 200, no bytes, end: as a stream by default, or as JSON. */
export function emptyBody(contentType = 'text/event-stream; charset=utf-8'): StepsScenario {
  return {
    kind: 'steps',
    steps: [{ do: 'head', status: 200, headers: { 'content-type': contentType } }, { do: 'end' }],
  }
}

/** The request is read, and never answered. */
export function stallBeforeHeaders(): StepsScenario {
  return { kind: 'steps', steps: [{ do: 'stall' }] }
}

/** The head of a stream without a single byte of body. */
export function stallAfterHeaders(): StepsScenario {
  const headers = { 'content-type': 'text/event-stream; charset=utf-8' }
  return { kind: 'steps', steps: [{ do: 'head', status: 200, headers }, { do: 'stall' }] }
}

/** The connection is reset as soon as it is accepted, before any request. */
export function resetOnAccept(): Scenario {
  return { kind: 'reset-on-accept' }
}

/** The request is read, then the connection is reset instead of an answer. */
export function resetBeforeHeaders(): StepsScenario {
  return { kind: 'steps', steps: [{ do: 'reset' }] }
}

/** The request is read, then the connection closes like an expired idle one. */
export function closeBeforeHeaders(): StepsScenario {
  return { kind: 'steps', steps: [{ do: 'close' }] }
}

/** Bytes that are not HTTP. */
export function garbage(text = '\u0000\u0001 this is not HTTP \r\n\r\n'): StepsScenario {
  return { kind: 'steps', steps: [{ do: 'raw', text }, { do: 'close' }] }
}

/** A JSON response that announces more bytes than it sends. */
export function shortBody(): StepsScenario {
  const whole = vendorCompletion('openai', { kind: 'text', pieces: ['Hello world'] })
  const steps = whole.steps.map((step): Step => {
    if (step.do === 'head') return { ...step, headers: { ...step.headers, 'content-length': '4096' } }
    return step.do === 'end' ? { do: 'close' } : step
  })
  return { kind: 'steps', steps }
}

/** JSON although a stream was requested. */
export function jsonAlthoughStreamAsked(pieces: readonly string[] = ['Hello', ' world']): StepsScenario {
  return vendorCompletion('openai', { kind: 'text', pieces, usage: { prompt: 16, completion: pieces.length } })
}

/** A stream although JSON was requested. */
export function streamAlthoughJsonAsked(options: GoodStreamOptions = {}): StepsScenario {
  return goodStream(options)
}

export function compressed(encoding: 'gzip' | 'br', options: GoodStreamOptions = {}): StepsScenario {
  return shaped({ encoding }, options)
}

export function compressedJson(encoding: 'gzip' | 'br'): StepsScenario {
  return { ...jsonAlthoughStreamAsked(), wire: { encoding } }
}

export function keepAliveComments(comment = ': ping', options: GoodStreamOptions = {}): StepsScenario {
  return shaped({ comments: comment }, options)
}

export function bom(options: GoodStreamOptions = {}): StepsScenario {
  return shaped({ bom: true }, options)
}

/** A good stream in another wire form: CRLF, cut anywhere, without the last newline. */
export function shaped(wire: Wire, options: GoodStreamOptions = {}): StepsScenario {
  return { ...goodStream(options), wire }
}

/** `100 Continue` before the response although the client did not expect it. */
export function unasked100Continue(options: GoodStreamOptions = {}): StepsScenario {
  const scenario = goodStream(options)
  return { ...scenario, steps: [{ do: 'continue' }, ...scenario.steps] }
}
