import { isJsonObject, type JsonObject, objectAt, stringAt } from '#lib/json.ts'

/**
 * One completely read response. It lazily parses only the form that a test reads. Two replies with the same status and
 * text are equal: headers contain times and request ids, which differ between all responses.
 */
export class Reply {
  readonly status: number
  readonly text: string
  readonly #headers: Headers
  readonly #bytes: Buffer
  readonly #json = parsedOnce(() => (this.isStream || this.text === '' ? {} : parseObject(this.text)))
  readonly #events = parsedOnce(() =>
    this.#frames
      .filter(({ payload }) => payload !== '[DONE]')
      .map(({ event, payload }) => ({ event, data: parseObject(payload) })),
  )

  constructor({ status, headers }: Pick<Response, 'status' | 'headers'>, bytes: Buffer) {
    this.status = status
    this.#headers = headers
    this.#bytes = bytes
    // Like `Response.text`, without a byte order mark.
    this.text = new TextDecoder().decode(bytes)
  }

  get headers(): Headers {
    return this.#headers
  }

  get bytes(): Buffer {
    return this.#bytes
  }

  get isStream(): boolean {
    return this.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  }

  /** The JSON object; empty for a stream and for a response without a body. Any other body is an error. */
  get json(): JsonObject {
    return this.#json()
  }

  /** The member `data` as an object. */
  get data(): JsonObject {
    return objectAt(this.json, 'data')
  }

  /** The member `data` as an array of objects. */
  get list(): JsonObject[] {
    const { data } = this.json
    return Array.isArray(data) ? data.filter(isJsonObject) : []
  }

  /** The member `error`. */
  get error(): JsonObject {
    return objectAt(this.json, 'error')
  }

  /** The error message. */
  get message(): string {
    return stringAt(this.error, 'message') ?? ''
  }

  /** The events of a stream, without comments and the closing `[DONE]`. */
  get events(): StreamEvent[] {
    return this.#events()
  }

  /** The payloads of the same events. */
  get chunks(): JsonObject[] {
    return this.events.map(({ data }) => data)
  }

  get sawDone(): boolean {
    return this.#frames.at(-1)?.payload === '[DONE]'
  }

  get #frames(): Frame[] {
    return this.isStream ? framesOf(this.text) : []
  }
}

export interface StreamEvent {
  /** From the `event:` line, or null. */
  event: string | null
  data: JsonObject
}

interface Frame {
  event: string | null
  payload: string
}

export async function readReply(response: Response): Promise<Reply> {
  return new Reply(response, Buffer.from(await response.arrayBuffer()))
}

/** The `data:` values of a stream, including `[DONE]`. */
export function payloadsOf(text: string): string[] {
  return framesOf(text).map(({ payload }) => payload)
}

function framesOf(text: string): Frame[] {
  return text.split('\n\n').flatMap((frame) => {
    const lines = frame.split('\n')
    const payload = valueOf(lines, 'data:')
    return payload === null ? [] : [{ event: valueOf(lines, 'event:'), payload }]
  })
}

/** The lines of one field are joined to one value, so two payloads without an empty line between them are not JSON. */
function valueOf(lines: readonly string[], field: string): string | null {
  const values = lines.filter((line) => line.startsWith(field)).map((line) => line.slice(field.length).trim())
  return values.length === 0 ? null : values.join('\n')
}

/** Returns the same object each time, like a field. */
function parsedOnce<Form>(parse: () => Form): () => Form {
  let parsed: { form: Form } | null = null
  return () => (parsed ??= { form: parse() }).form
}

function parseObject(text: string): JsonObject {
  const value: unknown = JSON.parse(text)
  if (!isJsonObject(value)) throw new Error(`not an object: ${text}`)
  return value
}
