import type { StreamPart } from '#domain/inference/stream-part.ts'
import { type JsonObject, type JsonValue, parseJsonObject } from '#lib/json.ts'

interface EventReading {
  readonly readEvent: (payload: string) => StreamPart[]
  /**
   * The text of an event, at the only place where `readEvent` looks for it. Undefined if another text would change more
   * than the text of the part.
   */
  readonly textOf: (event: JsonObject) => JsonValue | undefined
}

/** An event without its text, and the choice that the text belongs to. */
interface Template {
  readonly before: string
  readonly after: string
  readonly choice: number
}

/**
 * Reads events of JSON, most of which differ from the previous one only in their text. After two such events, the
 * bytes around the text are a template, and only the text of an event that fits it is parsed. Any other event is read
 * by `readEvent` and discards the template, so a text may not change how `readEvent` reads later events.
 */
export function withTextTemplate({ readEvent, textOf }: EventReading): (payload: string) => StreamPart[] {
  let last: Template | null = null
  let template: Template | null = null

  function learn(payload: string, parts: readonly StreamPart[]): void {
    const previous = last
    const [part] = parts
    const text = parts.length === 1 && part?.kind === 'text-added' ? part : null
    last = text === null ? null : templateOf(payload, text)
    const isRepeated = last !== null && last.before === previous?.before && last.after === previous.after
    template = isRepeated && last !== null && text !== null && holdsText(last, text.text) ? last : null
  }

  // A text may also be the value of another member, so the place is tried with a different one.
  function holdsText({ before, after }: Template, text: string): boolean {
    const other = `${text}.`
    const event = parseJsonObject(before + JSON.stringify(other) + after)
    return event !== undefined && textOf(event) === other
  }

  return (payload) => {
    const text = template === null ? '' : textBetween(template, payload)
    if (template !== null && text !== '') return [{ kind: 'text-added', choice: template.choice, text }]
    const parts = readEvent(payload)
    learn(payload, parts)
    return parts
  }
}

function templateOf(payload: string, { choice, text }: StreamPart & { kind: 'text-added' }): Template | null {
  const literal = JSON.stringify(text)
  const at = payload.indexOf(literal)
  if (at === -1) return null
  return { before: payload.slice(0, at), after: payload.slice(at + literal.length), choice }
}

/** Empty if the payload does not fit the template. An empty text has no part of its own. */
function textBetween({ before, after }: Template, payload: string): string {
  if (!payload.startsWith(before) || !payload.endsWith(after)) return ''
  try {
    const value: unknown = JSON.parse(payload.slice(before.length, payload.length - after.length))
    return typeof value === 'string' ? value : ''
  } catch {
    return ''
  }
}
