import { expect, it } from 'vitest'
import { repositoryRoot } from './repository-root.ts'
import { runCommand } from './run-command.ts'

it('ends a command that takes too long, with all that it started', async () => {
  const { code } = await runCommand(['sh', '-c', 'sleep 1000 & sleep 1000'], { cwd: repositoryRoot, endsAfterMs: 100 })
  expect(code).toBe(1)
})
