import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isRecord } from '../lib/is-record.ts'
import { repositoryRoot } from '../lib/repository-root.ts'
import { runCommand } from '../lib/run-command.ts'

const read = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8')

it('.ci/nightly refuses a step that it does not have before it installs anything, and names its steps', async () => {
  const { code, output } = await runCommand(['.ci/nightly', 'drift', 'nonsense'], { cwd: repositoryRoot })
  expect(code).toBe(2)
  expect(output).toBe(
    'There is no step nonsense. The steps are drift mutate corpus recipes simulate quotes fuzz attack drill bench.\n',
  )
})

it('.ci/nightly runs scripts that exist, none of them shortened', () => {
  const manifest: unknown = JSON.parse(read('package.json'))
  const scripts = isRecord(manifest) && isRecord(manifest['scripts']) ? manifest['scripts'] : {}
  const called = [...read('.ci/nightly').matchAll(/npm run --silent (\S+?)(?: -- (\S.*?))?(?: &&|; \})/g)]
  expect(called.length).toBeGreaterThan(8)
  for (const [, name = '', options = ''] of called) {
    expect(scripts).toHaveProperty([name])
    expect(options).not.toContain('--short')
  }
})
