import { describe, expect, it } from 'vitest'
import { judgeWiring } from './judge-wiring.ts'

const path = 'server/src/bin/wiring/stages.ts'
const found = (text: string, at = path) =>
  judgeWiring([{ path: at, text }]).map(({ line, message }) => ({ line, message }))

describe('a choice in wiring', () => {
  it.each([
    { code: `if (config.mail.url === null) return silent`, choice: 'if' },
    { code: `switch (kind) {}`, choice: 'switch' },
    { code: `while (isBusy) await turn()`, choice: 'while' },
    { code: `const blobs = kind === 'files' ? files : bucket`, choice: 'the conditional operator' },
    { code: `const blobs = isLocal ? (files) : bucket`, choice: 'the conditional operator' },
    { code: `const ready = isLoaded && hasSchema`, choice: '&&' },
    { code: `const away = isDown || isSlow`, choice: '||' },
    { code: `const url = config.url ?? ''`, choice: '??' },
    { code: `started ??= start()`, choice: '??' },
    { code: `started ||= start()`, choice: '||' },
    { code: `started?.close()`, choice: '?.' },
  ])('is found in $code', ({ code, choice }) => {
    const message = `chooses with ${choice}; move the rule to where a unit test reaches it`
    expect(found(`\n${code}`)).toEqual([{ line: 2, message }])
  })

  it.each([
    `// if (a) b ?? c`,
    `const text = 'if (a && b) c ? d : e'`,
    'interface Needs {\n  readonly timeoutMs?: number\n  readonly kind: "a" | "b"\n}',
    'type Both = One & Other',
    `for (const part of parts) await part.end()`,
    `work().catch(onError)`,
    `function wire({ level = 'error' }: Options) {}`,
    `conditions.if({ if: 1 })`,
  ])('is not %s', (code) => {
    expect(found(code)).toEqual([])
  })

  it('is a matter of wiring alone', () => {
    expect(found(`if (a) b()`, 'server/src/bin/gateway.ts')).toEqual([])
    expect(found(`if (a) b()`, 'server/src/pipeline/run.ts')).toEqual([])
  })
})
