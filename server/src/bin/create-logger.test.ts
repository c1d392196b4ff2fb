import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { createLogger } from './create-logger.ts'

const run = promisify(execFile)
const file = join(import.meta.dirname, 'create-logger.ts')

it('writes to standard output what was logged before the process ended, as text or as JSON, and no colours into a pipe', async () => {
  expect(await printed('text')).toMatch(/^\S+Z WARN {2}worker\[\d+\] it is late times=2\n$/)
  expect(JSON.parse(await printed('json'))).toMatchObject({ level: 40, process: 'worker', times: 2, msg: 'it is late' })
})

const cycle: Record<string, unknown> = {}
cycle['self'] = cycle

it.each<[string, object]>([
  [
    'strings of every kind',
    { plain: 'a', quoted: '"\\\n\0\u2028', wide: 'é🙂', half: '\ud800', long: '"\ud800'.repeat(60) },
  ],
  ['numbers, null and undefined', { one: 1, tiny: 1e-7, none: Number.NaN, gone: undefined, empty: null, isTrue: true }],
  ['objects, arrays and dates', { nested: { a: [1, { b: '"' }] }, at: new Date(0), 2: 'two', 1: 'one' }],
  ['nothing', {}],
  ['fields that the logger has too', { level: 1, msg: 'mine', pid: 'x' }],
  ['an error', { err: new Error('broken'), times: 2 }],
  ['only an error', new Error('broken')],
  ['a BigInt', { amount: 5n }],
  ['a cycle', { cycle }],
])('writes the line that pino writes: %s', (_name, event) => {
  const lines: string[] = []
  const output = { write: (line: string) => void lines.push(line.replace(/"time":\d+/, '"time":0')) }
  const loggers = [
    createLogger('gateway', { level: 'info', format: 'json' }, output),
    pino({ level: 'info', base: { process: 'gateway', pid: process.pid } }, output),
  ]
  for (const logger of loggers) {
    logger.info(event, 'a "message" of 100 %')
    logger.warn(event, 'a %s', 'message')
    logger.error(event)
    logger.debug(event, 'hidden')
    logger.child({ of: 'a child' }).info(event, 'message')
  }
  expect(lines).toHaveLength(8)
  expect(lines.slice(0, 4)).toEqual(lines.slice(4))
})

async function printed(format: 'json' | 'text'): Promise<string> {
  const script = `const { createLogger } = await import(${JSON.stringify(file)})
    createLogger('worker', { level: 'info', format: '${format}' }).warn({ times: 2 }, 'it is late')
    process.exit()`
  return (await run(process.execPath, ['--input-type=module', '-e', script])).stdout
}
