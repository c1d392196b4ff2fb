import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const run = promisify(execFile)
const file = join(import.meta.dirname, 'create-logger.ts')

it('writes to standard output what was logged before the process ended, as text or as JSON, and no colours into a pipe', async () => {
  expect(await printed('text')).toMatch(/^\S+Z WARN {2}worker\[\d+\] it is late times=2\n$/)
  expect(JSON.parse(await printed('json'))).toMatchObject({ level: 40, process: 'worker', times: 2, msg: 'it is late' })
})

async function printed(format: 'json' | 'text'): Promise<string> {
  const script = `const { createLogger } = await import(${JSON.stringify(file)})
    createLogger('worker', { level: 'info', format: '${format}' }).warn({ times: 2 }, 'it is late')
    process.exit()`
  return (await run(process.execPath, ['--input-type=module', '-e', script])).stdout
}
