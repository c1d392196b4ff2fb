import { describe, expect, it } from 'vitest'
import { judgeAlone } from './judge-alone.ts'

const findingsIn = (text: string, path = 'server/test/a.test.ts') => judgeAlone([{ path, text }])

describe('a test file that shares its process', () => {
  it.each([
    `process.env.WEIR_SECRET = 'a'`,
    `process.env['WEIR_SECRET'] = 'a'`,
    `process.env[nameOf(['a'])] ??= 'a'`,
    `process.env = { ...process.env }`,
    `delete process.env.WEIR_SECRET`,
    `Object.assign(process.env, { WEIR_SECRET: 'a' })`,
    `vi.stubEnv('WEIR_SECRET', 'a')`,
    `vi.stubGlobal('fetch', fake)`,
    `vi.useFakeTimers()`,
    `vi.setSystemTime(0)`,
    `vi.mock('./a.ts')`,
    `vi.spyOn(console, 'log')`,
    `clock = stopClock('2030-01-07T12:00:15Z')`,
    `process.on('SIGTERM', stop)`,
    `process.once('exit', stop)`,
    `process.chdir('/')`,
    `const { heapUsed } = process.memoryUsage()`,
    `const { user } = process.cpuUsage()`,
    `const delay = monitorEventLoopDelay()`,
  ])('may not say %s', (code) => {
    expect(findingsIn(`\n${code}`)).toMatchObject([{ rule: 'alone', line: 2 }])
    expect(findingsIn(code, 'server/test/a.alone.test.ts')).toEqual([])
    expect(findingsIn(code, 'server/test/a-world.ts')).toEqual([])
  })

  it.each([
    `const secret = process.env.WEIR_SECRET ?? '='`,
    `if (process.env['WEIR_SECRET'] === 'a') run()`,
    `const environment = { ...process.env, WEIR_SECRET: 'a' }`,
    `gateway.process.once('exit', done)`,
    `process.kill(pid)`,
    `vi.spyOn(store, 'read')`,
    `vi.fn()`,
    `const text = "vi.useFakeTimers()" // process.env.A = 'a'`,
    'const text = `process.on(${name})`',
  ])('may say %s', (code) => {
    expect(findingsIn(code)).toEqual([])
  })

  it('is told once of each thing that it does', () => {
    const text = `vi.stubEnv('A', 'a')\nvi.stubEnv('B', 'b')\nprocess.env.C = 'c'\nprocess.env.D = 'd'`
    expect(findingsIn(text).map(({ line, message }) => `${line} ${message}`)).toEqual([
      '1 vi.stubEnv concerns the whole process; name the file *.alone.test.ts',
      '3 process.env = concerns the whole process; name the file *.alone.test.ts',
    ])
  })
})
