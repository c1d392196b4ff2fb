import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../lib/repository-root.ts'
import { type DescribedTool, describedTools } from './tool-settings.ts'

/**
 * These files are next to the clients of the conformance suite, which runs them unchanged. Its lock files fix the
 * versions.
 */
const libraryLines = 'server/test/conformance/clients/lines'
const programLines = 'server/test/conformance/command-line/lines'

const libraries = [
  { title: 'OpenAI SDK, JavaScript', file: 'openai.mjs', about: '`npm install openai`' },
  { title: 'Anthropic SDK, JavaScript', file: 'anthropic.mjs', about: '`npm install @anthropic-ai/sdk`' },
  { title: 'AI SDK', file: 'ai-sdk.mjs', about: '`npm install ai @ai-sdk/openai-compatible`' },
  { title: 'LangChain, JavaScript', file: 'langchain.mjs', about: '`npm install @langchain/openai @langchain/core`' },
] as const

const programs = [
  { title: 'Claude Code', file: 'claude-code.sh', about: 'Any model will do, not only Claude.' },
  { title: 'Codex', file: 'codex.toml', about: 'In `~/.codex/config.toml`; Codex reads the key from `WEIR_KEY`.' },
  { title: 'opencode', file: 'opencode.json', about: 'In `~/.config/opencode/opencode.json`.' },
  { title: 'Continue', file: 'continue.yaml', about: 'In `~/.continue/config.yaml`.' },
] as const

export function writeTools(): string {
  return `# Your tool in five lines

Generated from \`${libraryLines}\`, \`${programLines}\` and \`tools/docs/tool-settings.ts\` by \`npm run docs\`; do not edit.

Every tool that can be given a base URL and a key works with Weir. Tools that speak OpenAI's API get the address with \`/v1\`, tools that
speak Anthropic's get it without.

\`\`\`sh
export WEIR_URL=http://127.0.0.1:8484   # where your gateway is
export WEIR_KEY=sk-weir-…               # a key of yours
\`\`\`

\`test/echo\` answers with what you said and costs nothing. Put the name of any model of \`GET /v1/models\` in its place.

## Libraries
\`npm run conformance\` runs these lines as they stand, against a gateway.
${libraries.map((tool) => toolText({ ...tool, ...linesOf(libraryLines, tool.file) })).join('')}
## Programs
\`npm run conformance -- --all\` runs these lines as they stand, but for the address and the key.
${programs.map((tool) => toolText({ ...tool, ...linesOf(programLines, tool.file) })).join('')}
## More tools
These lines follow the documentation of each tool. We have not run them against Weir.
${describedTools.map(toolText).join('')}`
}

const languages: Readonly<Record<string, string>> = { mjs: 'js' }

function linesOf(folder: string, file: string): Pick<DescribedTool, 'language' | 'lines'> {
  const lines = readFileSync(join(repositoryRoot, folder, file), 'utf8')
    .trimEnd()
    .split('\n')
  const ending = file.slice(file.lastIndexOf('.') + 1)
  return { language: languages[ending] ?? ending, lines }
}

function toolText({ title, about, language, lines }: DescribedTool): string {
  return `
### ${title}
${about}

\`\`\`${language}
${lines.join('\n')}
\`\`\`
`
}
