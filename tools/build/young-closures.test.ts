import { describe, expect, it } from 'vitest'
import { repositoryRoot } from '../lib/repository-root.ts'
import { runCommand } from '../lib/run-command.ts'
import { keepClosuresYoung } from './young-closures.ts'

describe('closures that are assigned to properties', () => {
  it.each([
    ['f(() => { o.f = () => o })', 'f(() => { o.f = (0, () => o) })'],
    [
      'function f() { this.g = function () { return this } }',
      'function f() { this.g = (0, function () { return this }) }',
    ],
    [
      'class C { constructor() { this[k] = async () => {} } }',
      'class C { constructor() { this[k] = (0, async () => {}) } }',
    ],
    [
      'const f = () => { a.b = () => { c.d = () => "é😀" } }',
      'const f = () => { a.b = (0, () => { c.d = (0, () => "é😀") }) }',
    ],
  ])('in functions get another form: %s', (code, young) => {
    expect(keepClosuresYoung(code)).toBe(young)
  })

  it.each([
    'C.prototype.f = function () {}',
    'const f = () => { const g = () => f; o.g = g }',
    'const f = () => { g = () => f }',
    'const f = () => { o.f = g(() => f) }',
    'const f = () => { o.f ??= () => f }',
    'const f = () => ({ g: () => f })',
    'class C { f = () => this }',
  ])('stay as they are where V8 does not run or does not keep them: %s', (code) => {
    expect(keepClosuresYoung(code)).toBe(code)
  })

  it('do not survive a young collection', async () => {
    const program = `
      const { getHeapSpaceStatistics, setFlagsFromString } = require('node:v8')
      setFlagsFromString('--expose-gc')
      const gc = require('node:vm').runInNewContext('gc')
      const used = () => getHeapSpaceStatistics().reduce((sum, space) => sum + space.space_used_size, 0)
      const serve = () => { const request = { body: new Array(100) }; request.onEnd = () => request }
      for (let turn = 0; turn < 2_000; turn += 1) serve()
      gc()
      const before = used()
      for (let turn = 0; turn < 3_000; turn += 1) serve()
      gc({ type: 'minor' })
      gc({ type: 'minor' })
      console.log((used() - before) / 3_000)`
    expect(await bytesLeft(program)).toBeGreaterThan(800)
    expect(await bytesLeft(keepClosuresYoung(program))).toBeLessThan(200)
  })
})

async function bytesLeft(program: string): Promise<number> {
  const { output } = await runCommand([process.execPath, '--input-type=commonjs', '-e', program], {
    cwd: repositoryRoot,
  })
  return Number(output)
}
