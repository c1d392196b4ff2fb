import { isJsonObject, type JsonObject, objectAt, stringAt } from '#lib/json.ts'

/**
 * One answer, read to its end. It parses the form that a test looks at, once, and no other. Two replies with the same
 * status and text are equal: headers state times and request ids, which no two answers share.
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
    // As `Response.text` does, without a byte order mark.
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

  /** The document; empty for a stream and for an answer without a body. Anything else but a JSON object is an error. */
  get json(): JsonObject {
    return this.#json()
  }

  /** The member `data`, where it is one object. */
  get data(): JsonObject {
    return objectAt(this.json, 'data')
  }

  /** The member `data`, where it is a list of objects. */
  get list(): JsonObject[] {
    const { data } = this.json
    return Array.isArray(data) ? data.filter(isJsonObject) : []
  }

  /** The member `error` of a refusal. */
  get error(): JsonObject {
    return objectAt(this.json, 'error')
  }

  /** The text of a refusal. */
  get message(): string {
    return stringAt(this.error, 'message') ?? ''
  }

  /** The events of a stream. Comments and the closing `[DONE]` are left out. */
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
  /** From the `event:` line; null if there is none. */
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

/** What the `data:` lines of a stream carry, `[DONE]` included. */
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

/** The lines of one field make one value, so that two payloads without an empty line between them are no JSON. */
function valueOf(lines: readonly string[], field: string): string | null {
  const values = lines.filter((line) => line.startsWith(field)).map((line) => line.slice(field.length).trim())
  return values.length === 0 ? null : values.join('\n')
}

/** The same object each time, as if it had been a field. */
function parsedOnce<Form>(parse: () => Form): () => Form {
  let parsed: { form: Form } | null = null
  return () => (parsed ??= { form: parse() }).form
}

function parseObject(text: string): JsonObject {
  const value: unknown = JSON.parse(text)
  if (!isJsonObject(value)) throw new Error(`not an object: ${text}`)
  return value
}
