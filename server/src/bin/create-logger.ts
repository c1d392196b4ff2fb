import { type Logger, pino } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { logText } from '#lib/log-text.ts'

/** The log of a process, on standard output. */
export function createLogger(name: 'gateway' | 'gateways' | 'worker', { level, format }: Config['log']): Logger {
  const output = pino.destination(1)
  // As usual elsewhere, `NO_COLOR` keeps colours off a terminal as well.
  const hasColours = process.stdout.isTTY === true && (process.env['NO_COLOR'] ?? '') === ''
  const text = { write: (line: string) => void output.write(logText(line, { hasColours })) }
  return pino({ level, base: { process: name, pid: process.pid } }, format === 'text' ? text : output)
}
