import type { Command } from './command.ts'

export const gateway: Command = {
  words: 'gateway',
  summary: 'Serve the API until SIGTERM.',
  async run() {
    // Loaded only here: other commands need neither the server nor its dependencies.
    const { runGateway } = await import('../gateway.ts')
    await runGateway()
    return undefined
  },
}
