import type { Command } from './command.ts'

export const worker: Command = {
  words: 'worker',
  summary: 'Do what outlives a request, until SIGTERM.',
  async run() {
    const { runWorker } = await import('../worker.ts')
    await runWorker()
    return undefined
  },
}
