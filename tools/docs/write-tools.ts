import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../lib/repository-root.ts'
import { settledTools } from './tool-settings.ts'

/** Beside the clients of the conformance suite, whose lock file says which versions they are written for. */
const linesFolder = 'server/test/conformance/clients/lines'

const libraries = [
  { title: 'OpenAI SDK, JavaScript', file: 'openai.mjs', install: 'npm install openai' },
  { title: 'Anthropic SDK, JavaScript', file: 'anthropic.mjs', install: 'npm install @anthropic-ai/sdk' },
  { title: 'AI SDK', file: 'ai-sdk.mjs', install: 'npm install ai @ai-sdk/openai-compatible' },
  { title: 'LangChain, JavaScript', file: 'langchain.mjs', install: 'npm install @langchain/openai @langchain/core' },
] as const

export function writeTools(): string {
  return `# Your tool in five lines

Generated from \`${linesFolder}\` and \`tools/docs/tool-settings.ts\` by \`npm run docs\`; do not edit.

Every tool that can be given a base URL and a key works with Weir. Tools that speak OpenAI's API get the address with \`/v1\`, tools that
speak Anthropic's get it without.

\`\`\`sh
export WEIR_URL=http://127.0.0.1:8484   # where your gateway is
export WEIR_KEY=sk-weir-…               # a key of yours
\`\`\`

\`test/echo\` answers with what you said and costs nothing. Put the name of any model of \`GET /v1/models\` in its place.

## Libraries
\`npm run conformance\` runs those for JavaScript against a gateway, in the versions of \`server/test/conformance/clients/package.json\`.
${[...libraries.map(libraryText), ...settledTools.filter(({ kind }) => kind === 'library').map(settledText)].join('')}
## Programs
\`npm run conformance -- --all\` runs Claude Code, Codex, opencode and Continue against one.
${settledTools
  .filter(({ kind }) => kind === 'program')
  .map(settledText)
  .join('')}`
}

function libraryText({ title, file, install }: (typeof libraries)[number]): string {
  const lines = readFileSync(join(repositoryRoot, linesFolder, file), 'utf8')
  return `
### ${title}
\`${install}\`

\`\`\`js
${lines}\`\`\`
`
}

function settledText({ title, about, language, lines }: (typeof settledTools)[number]): string {
  return `
### ${title}
${about}

\`\`\`${language}
${lines.join('\n')}
\`\`\`
`
}
