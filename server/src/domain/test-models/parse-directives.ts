import type { Ending } from './answer.ts'
import { answerWordsMax } from './known-test-models.ts'

/** The directives of a message for `test/echo`. */
interface Directives {
  status?: number
  delayMs?: number
  dripMs?: number
  words?: number
  tool?: string
  usage?: { prompt: number; completion: number }
  noUsage?: true
  cached?: number
  finish?: string
  ending?: Ending
}

interface DirectedMessage {
  /** The message without its directives; unchanged if it has none. */
  readonly text: string
  readonly directives: Directives
  /** A known directive with an invalid value, reported so that a test notices the typo. */
  readonly mistake: string | undefined
}

const form = /(^|\s)#([a-z-]+)(?:=(\S*))?(?!\S)/g

/** A directive is a separate word; unknown names stay in the text. */
export function parseDirectives(message: string): DirectedMessage {
  const directives: Directives = {}
  let found = false
  let mistake: string | undefined
  const text = message.replace(form, (match: string, _before: string, name: string, value: string | undefined) => {
    const read = readers.get(name)
    if (read === undefined) return match
    found = true
    if (!read(directives, value)) mistake ??= match.trim()
    return ''
  })
  return { text: found ? text.trim() : message, directives, mistake }
}

/** Returns whether the value is valid. */
type Reader = (directives: Directives, value: string | undefined) => boolean

const readers = new Map<string, Reader>([
  ['status', figure(300, 599, (directives, status) => (directives.status = status))],
  ['delay', figure(0, 60_000, (directives, delayMs) => (directives.delayMs = delayMs))],
  ['drip', figure(0, 60_000, (directives, dripMs) => (directives.dripMs = dripMs))],
  ['words', figure(0, answerWordsMax, (directives, words) => (directives.words = words))],
  ['cached', figure(0, 999_999_999, (directives, cached) => (directives.cached = cached))],
  ['usage', readUsage],
  ['tool', word((directives, tool) => (directives.tool = tool))],
  ['finish', word((directives, finish) => (directives.finish = finish))],
  ['no-usage', flag((directives) => (directives.noUsage = true))],
  ['truncate', flag((directives) => (directives.ending = 'truncated'))],
  ['cut', flag((directives) => (directives.ending = 'cut'))],
  ['stall', flag((directives) => (directives.ending = 'stall'))],
  ['silent', flag((directives) => (directives.ending = 'silent'))],
  ['stream-error', flag((directives) => (directives.ending = 'stream-error'))],
])

function figure(least: number, most: number, keep: (directives: Directives, figure: number) => void): Reader {
  return (directives, value = '') => {
    const count = /^\d{1,9}$/.test(value) ? Number(value) : -1
    if (count < least || count > most) return false
    keep(directives, count)
    return true
  }
}

function word(keep: (directives: Directives, word: string) => void): Reader {
  return (directives, value = '') => {
    if (!/^[\w-]{1,64}$/.test(value)) return false
    keep(directives, value)
    return true
  }
}

function flag(keep: (directives: Directives) => void): Reader {
  return (directives, value) => {
    if (value !== undefined) return false
    keep(directives)
    return true
  }
}

function readUsage(directives: Directives, value = ''): boolean {
  const [, prompt, completion] = /^(\d{1,9}),(\d{1,9})$/.exec(value) ?? []
  if (prompt === undefined || completion === undefined) return false
  directives.usage = { prompt: Number(prompt), completion: Number(completion) }
  return true
}
