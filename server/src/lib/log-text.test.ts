import { describe, expect, it } from 'vitest'
import { logText } from './log-text.ts'

const time = Date.UTC(2026, 10, 17, 5, 4, 21, 123)
const event = { level: 40, time, process: 'gateway', pid: 7, msg: 'Redis is away' }
const shown = (fields: object): string => logText(`${JSON.stringify({ ...event, ...fields })}\n`, { hasColours: false })

describe('a line of the log for people', () => {
  it('says when, how bad, which process, what, and the fields', () => {
    expect(shown({ error: 'connect ECONNREFUSED', times: 3, sink: 'otlp', attempts: [{ account: 'a' }] })).toBe(
      '2026-11-17T05:04:21.123Z WARN  gateway[7] Redis is away error="connect ECONNREFUSED" times=3 sink=otlp attempts=[{"account":"a"}]\n',
    )
  })
  it('has of an error what it is and where it comes from', () => {
    const stack = 'TypeError: x is null\n    at read (/srv/read.ts:3:1)\n    at run (/srv/run.ts:9:1)'
    expect(shown({ err: { type: 'TypeError', message: 'x is null', stack } })).toContain(
      ' err="TypeError: x is null at read (/srv/read.ts:3:1)"\n',
    )
  })
  it('stays one line, and what commands a terminal is escaped', () => {
    const text = shown({ msg: 'a\nb\u001b[2J', said: 'x\u009b31m\u202e\r\n' })
    expect(text.match(/\p{C}/gu)).toEqual(['\n'])
    expect(text).toContain('a\\u{a}b\\u{1b}[2J said="x\\u{9b}31m\\u{202e}\\r\\n"')
  })
  it('has colours where it is told so', () => {
    expect(logText(JSON.stringify(event), { hasColours: true })).toContain('\u001b[33mWARN \u001b[39m')
  })
  it('passes on what is no event', () => {
    expect(logText('not JSON\n', { hasColours: true })).toBe('not JSON\n')
  })
})
