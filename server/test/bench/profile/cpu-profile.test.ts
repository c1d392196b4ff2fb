import { describe, expect, it } from 'vitest'
import { buildFrames, type CpuProfile, partOf, sharesOf } from './cpu-profile.ts'
import { drawFlames } from './draw-flames.ts'

const start = { lineNumber: 0, columnNumber: 0 }
const serve = { functionName: 'serve', url: 'file:///weir/server/src/http/server.ts', ...start }
const settle = { functionName: 'settle', url: 'file:///weir/server/src/pipeline/settle/settle.ts', ...start }
const profile: CpuProfile = {
  nodes: [
    { id: 1, callFrame: { functionName: '(root)', url: '', ...start }, children: [2, 3, 5] },
    { id: 2, callFrame: { functionName: '(idle)', url: '', ...start } },
    { id: 3, callFrame: serve, children: [4] },
    { id: 4, callFrame: settle },
    // The same function on another call path.
    { id: 5, callFrame: serve, children: [6] },
    { id: 6, callFrame: { ...settle, functionName: '' } },
  ],
  samples: [2, 3, 4, 5, 4],
  timeDeltas: [400, 100, 200, 50, 9_000],
}

describe('the frames of a profile', () => {
  const root = buildFrames(profile)

  it('hold the time of a function and of what it called, without idle time', () => {
    expect(root.wholeUs).toBe(750)
    const [found] = [...root.calls.values()]
    expect(found).toMatchObject({ name: 'serve', selfUs: 150, wholeUs: 750 })
    expect([...(found?.calls.values() ?? [])]).toMatchObject([
      { name: 'settle', selfUs: 600, wholeUs: 600 },
      { name: 'settle.ts', wholeUs: 0 },
    ])
  })

  it('are summed by whose code it is', () => {
    expect(sharesOf(root)).toEqual([
      { part: 'our pipeline/settle', share: 0.8 },
      { part: 'our http', share: 0.2 },
    ])
  })

  it('are drawn as wide as their share, with names that can stand in a page', () => {
    const picture = drawFlames(root, 'a < b')
    expect(picture).toContain('a &lt; b')
    expect(picture).toContain('<title>settle (our pipeline/settle), 80.0%</title>')
    expect(picture).toContain('width="960"')
  })
})

describe('whose code a function is', () => {
  it.each([
    ['(garbage collector)', '', 'collector'],
    ['(program)', '', 'V8 and the system'],
    ['writeHead', 'node:_http_server', 'Node'],
    ['dispatch', 'file:///weir/node_modules/undici/lib/agent.js', 'undici'],
    ['fill', 'file:///weir/node_modules/a/node_modules/@b/c/index.js', '@b/c'],
    ['run', 'file:///weir/server/src/pipeline/run.ts', 'our pipeline'],
    ['load', 'file:///elsewhere/x.js', 'others'],
  ])('%s of %s', (name, url, part) => {
    expect(partOf(name, url)).toBe(part)
  })
})
