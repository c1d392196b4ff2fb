import { ConfigError } from '#config/config-error.ts'
import type { Command } from '../command-line/command.ts'
import { formatTable } from '../command-line/format-table.ts'
import { readConfigSources } from '../read-config.ts'

export const configCommands: readonly Command[] = [
  {
    words: 'config show',
    summary: 'Show every setting with its value, its source and any problem. Secrets are hidden.',
    options: { set: { type: 'boolean', description: 'Hide settings that have their default value.' } },
    run: async (input) => {
      const sources = readConfigSources()
      const { describeConfig } = await import('#config/describe-config.ts')
      const { parseConfig } = await import('#config/parse-config.ts')
      const settings = describeConfig(sources).filter(({ source }) => !input.flag('set') || source !== 'default')
      const rows = settings.map(({ key, shown, source, variable }) => [key, shown, source, variable])
      const problems = problemsOf(() => parseConfig(sources))
      return {
        lines: [...formatTable(['SETTING', 'VALUE', 'SOURCE', 'VARIABLE'], rows), ...problems],
        data: { settings: settings.map((setting) => ({ ...setting })), problems },
        exitCode: problems.length === 0 ? 0 : 1,
      }
    },
  },
]

function problemsOf(parse: () => unknown): string[] {
  try {
    parse()
    return []
  } catch (error) {
    if (error instanceof ConfigError) return ['', ...error.message.split('\n')]
    throw error
  }
}
