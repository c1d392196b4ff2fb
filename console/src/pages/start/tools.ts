/** Values for a tool's template. */
interface ToolTerms {
  /** For example `https://weir.example`, without a trailing slash. */
  readonly origin: string
  readonly key: string
  readonly model: string
}

interface Tool {
  readonly id: string
  readonly label: string
  /** The file for the lines, or the step before them, such as a package to install. */
  readonly place: string
  readonly lines: (terms: ToolTerms) => string
}

/** Programs that work with Weir after setting a base URL, a key and a model id, in at most five lines each. */
export const tools: readonly Tool[] = [
  {
    id: 'curl',
    label: 'curl',
    place: 'Run in a terminal',
    lines: ({ origin, key, model }) => `curl ${origin}/v1/chat/completions \\
  -H "Authorization: Bearer ${key}" -H 'Content-Type: application/json' \\
  -d '{"model": "${model}", "messages": [{"role": "user", "content": "Hello there"}]}'`,
  },
  {
    id: 'openai-js',
    label: 'OpenAI SDK (JavaScript)',
    place: 'npm install openai',
    lines: ({ origin, key, model }) => `import OpenAI from 'openai'
const weir = new OpenAI({ baseURL: '${origin}/v1', apiKey: '${key}' })
const messages = [{ role: 'user', content: 'Hello there' }]
const completion = await weir.chat.completions.create({ model: '${model}', messages })
console.log(completion.choices[0].message.content)`,
  },
  {
    id: 'openai-python',
    label: 'OpenAI SDK (Python)',
    place: 'pip install openai',
    lines: ({ origin, key, model }) => `from openai import OpenAI
weir = OpenAI(base_url="${origin}/v1", api_key="${key}")
messages = [{"role": "user", "content": "Hello there"}]
completion = weir.chat.completions.create(model="${model}", messages=messages)
print(completion.choices[0].message.content)`,
  },
  {
    id: 'anthropic-js',
    label: 'Anthropic SDK (JavaScript)',
    place: 'npm install @anthropic-ai/sdk',
    lines: ({ origin, key, model }) => `import Anthropic from '@anthropic-ai/sdk'
const weir = new Anthropic({ baseURL: '${origin}', apiKey: '${key}' })
const messages = [{ role: 'user', content: 'Hello there' }]
const message = await weir.messages.create({ model: '${model}', max_tokens: 100, messages })
console.log(message.content[0].text)`,
  },
  {
    id: 'ai-sdk',
    label: 'AI SDK',
    place: 'npm install ai @ai-sdk/openai-compatible',
    lines: ({ origin, key, model }) => `import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText } from 'ai'
const weir = createOpenAICompatible({ name: 'weir', baseURL: '${origin}/v1', apiKey: '${key}' })
const { text } = await generateText({ model: weir('${model}'), prompt: 'Hello there' })
console.log(text)`,
  },
  {
    id: 'claude-code',
    label: 'Claude Code',
    place: 'Run in a terminal',
    lines: ({ origin, key, model }) => `export ANTHROPIC_BASE_URL=${origin}
export ANTHROPIC_AUTH_TOKEN=${key}
claude --model ${model}`,
  },
  {
    id: 'codex',
    label: 'Codex',
    place: 'Add to ~/.codex/config.toml and set WEIR_KEY to your API key',
    lines: ({ origin, model }) => `model = "${model}"
model_provider = "weir"

[model_providers.weir]
name = "Weir"
base_url = "${origin}/v1"
env_key = "WEIR_KEY"
wire_api = "responses"`,
  },
  {
    id: 'cursor',
    label: 'Cursor',
    place: 'Settings > Models > OpenAI API key',
    lines: ({ origin, key, model }) => `OpenAI API key            ${key}
Override OpenAI base URL  ${origin}/v1/cursor
Add a custom model        weir/${model}`,
  },
  {
    id: 'cline',
    label: 'Cline',
    place: 'Settings > API configuration',
    lines: ({ origin, key, model }) => `API provider  OpenAI Compatible
Base URL      ${origin}/v1
API key       ${key}
Model ID      ${model}`,
  },
  {
    id: 'aider',
    label: 'aider',
    place: 'Run in a terminal',
    lines: ({ origin, key, model }) => `export OPENAI_API_BASE=${origin}/v1
export OPENAI_API_KEY=${key}
aider --model openai/${model}`,
  },
]
