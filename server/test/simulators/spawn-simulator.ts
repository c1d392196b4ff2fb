import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { ControlledSimulator } from './control-simulator.ts'
import { controlSimulator } from './control-simulator.ts'
import type { Scenario } from './start-simulator.ts'

export interface SpawnOptions {
  port?: number
  scenario?: Scenario
  record?: boolean
  tls?: 'self-signed'
}

export interface SpawnedSimulator extends ControlledSimulator {
  /** SIGKILL: the sudden death of an upstream. Resolves when its port is free. */
  kill(): Promise<void>
}

/** Starts a simulator in its own process and returns its control; `close` also waits for the process to end. */
export async function spawnSimulator(options: SpawnOptions = {}): Promise<SpawnedSimulator> {
  const { port = 0, scenario = { kind: 'echo' }, record = true, tls } = options
  const main = fileURLToPath(new URL('./main.ts', import.meta.url))
  const flags = [...(record ? [] : ['--no-record']), ...(tls === undefined ? [] : ['--tls'])]
  const child = spawn(
    process.execPath,
    [main, '--port', String(port), '--scenario', JSON.stringify(scenario), ...flags],
    { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
  )
  if (child.stdout === null) throw new Error('The simulator has no output to read its address from.')
  const exited = once(child, 'exit')
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    exited.then(() => Promise.reject(new Error('The simulator ended before it listened.'))),
  ])
  const control = controlSimulator(JSON.parse(String(line)))
  return {
    ...control,
    close: async () => {
      await control.close()
      await exited
    },
    kill: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}
