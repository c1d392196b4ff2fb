import { styleText } from 'node:util'
import { isJsonObject, type JsonObject, type JsonValue, parseJsonObject } from './json.ts'

type Style = Parameters<typeof styleText>[0]

const levels: Readonly<Record<number, { readonly word: string; readonly style: Style }>> = {
  10: { word: 'TRACE', style: 'gray' },
  20: { word: 'DEBUG', style: 'gray' },
  30: { word: 'INFO ', style: 'green' },
  40: { word: 'WARN ', style: 'yellow' },
  50: { word: 'ERROR', style: 'red' },
  60: { word: 'FATAL', style: 'red' },
}

/** A JSON line of the log as one line for people: time, level, process, message and fields. */
export function logText(line: string, { hasColours }: { hasColours: boolean }): string {
  const event = parseJsonObject(line)
  if (event === undefined) return line
  const paint = (style: Style, text: string): string =>
    hasColours ? styleText(style, text, { validateStream: false }) : text
  const { level, time, process, pid, msg, ...fields } = event
  const { word, style } = levels[Number(level)] ?? { word: String(level), style: 'gray' }
  const shown = Object.entries(fields).map(([name, value]) => `${paint('cyan', `${name}=`)}${valueText(value)}`)
  const head = [new Date(Number(time)).toISOString(), paint(style, word), `${process}[${pid}]`]
  return `${[...head, visible(String(msg ?? '')), ...shown].join(' ')}\n`
}

function valueText(value: JsonValue | undefined): string {
  if (typeof value === 'string') return /^[^\s"=\\\p{C}]+$/u.test(value) ? value : visible(JSON.stringify(value))
  if (isJsonObject(value) && typeof value['stack'] === 'string') return errorText(value)
  return visible(JSON.stringify(value))
}

/** An error with its location. The rest of its stack is only in the JSON form. */
function errorText({ type, message, stack }: JsonObject): string {
  const place = /\n\s+(at .+)/.exec(String(stack))?.[1] ?? ''
  return visible(JSON.stringify(`${type}: ${message} ${place}`.trim()))
}

/** Escapes characters that would break the line or control the terminal. */
function visible(text: string): string {
  return text.replaceAll(/\p{C}/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
}
