import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startBurners } from './start-burners.ts'

it('starts as many burners as it is asked for, and ends them all', async () => {
  const burners = startBurners(2)
  await Promise.all(burners.processes.map((child) => once(child, 'spawn')))
  await burners.stop()
  expect(burners.processes.map(({ signalCode }) => signalCode)).toEqual(['SIGKILL', 'SIGKILL'])
  await burners.stop()
})

it('leaves no burner behind when its process is killed', async () => {
  const module = JSON.stringify(join(import.meta.dirname, 'start-burners.ts'))
  const program = `import { startBurners } from ${module}
    await Promise.all(startBurners(2).processes.map((child) => new Promise((resolve) => child.once('spawn', resolve))))
    console.log('started')`
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // The burners inherit stderr from the parent, so this pipe closes once the last of them is gone.
  const closed = once(parent.stderr.resume(), 'close')
  const [started] = await once(parent.stdout, 'data')
  expect(String(started)).toBe('started\n')
  parent.kill('SIGKILL')
  await closed
  expect(parent.signalCode).toBe('SIGKILL')
})
