import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { logLine } from '#lib/log-line.ts'
import { logText } from '#lib/log-text.ts'

/** Creates the logger of a process. Without another output, it writes to standard output. */
export function createLogger(
  name: 'gateway' | 'gateways' | 'worker',
  { level, format }: Config['log'],
  output: DestinationStream = pino.destination(1),
): Logger {
  // By convention, `NO_COLOR` disables colors on a terminal too.
  const hasColours = process.stdout.isTTY === true && (process.env['NO_COLOR'] ?? '') === ''
  const text = { write: (line: string) => void output.write(logText(line, { hasColours })) }
  const lines = format === 'text' ? text : output
  const logger: Logger = pino(
    {
      level,
      base: { process: name, pid: process.pid },
      hooks: {
        logMethod(parts, write, levelNumber) {
          const head = `{"level":${levelNumber},"time":${Date.now()},"process":"${name}","pid":${process.pid}`
          // A child logger has fields of its own.
          const line = this === logger && parts.length === 2 ? logLine(head, parts[0], parts[1]) : null
          if (line === null) write.apply(this, parts)
          else lines.write(line)
        },
      },
    },
    lines,
  )
  return logger
}
