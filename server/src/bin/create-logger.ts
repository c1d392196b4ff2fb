import { type Logger, pino } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { logText } from '#lib/log-text.ts'

/** Creates the logger of a process. It writes to standard output. */
export function createLogger(name: 'gateway' | 'gateways' | 'worker', { level, format }: Config['log']): Logger {
  const output = pino.destination(1)
  // By convention, `NO_COLOR` disables colors on a terminal too.
  const hasColours = process.stdout.isTTY === true && (process.env['NO_COLOR'] ?? '') === ''
  const text = { write: (line: string) => void output.write(logText(line, { hasColours })) }
  return pino({ level, base: { process: name, pid: process.pid } }, format === 'text' ? text : output)
}
