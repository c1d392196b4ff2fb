/** Tools whose lines the conformance suite does not run as they stand, for docs/tools.md. */
export const settledTools: readonly SettledTool[] = [
  {
    kind: 'library',
    title: 'OpenAI SDK, Python',
    about: '`pip install openai`',
    language: 'python',
    lines: [
      'import os',
      'from openai import OpenAI',
      '',
      'weir = OpenAI(base_url=os.environ["WEIR_URL"] + "/v1", api_key=os.environ["WEIR_KEY"])',
      'messages = [{"role": "user", "content": "Hello there"}]',
      'answer = weir.chat.completions.create(model="test/echo", messages=messages)',
      'print(answer.choices[0].message.content)',
    ],
  },
  {
    kind: 'library',
    title: 'Anthropic SDK, Python',
    about: '`pip install anthropic`',
    language: 'python',
    lines: [
      'import os',
      'from anthropic import Anthropic',
      '',
      'weir = Anthropic(base_url=os.environ["WEIR_URL"], api_key=os.environ["WEIR_KEY"])',
      'messages = [{"role": "user", "content": "Hello there"}]',
      'answer = weir.messages.create(model="test/echo", max_tokens=100, messages=messages)',
      'print(answer.content[0].text)',
    ],
  },
  {
    kind: 'program',
    title: 'Claude Code',
    about: 'Any model will do, not only Claude.',
    language: 'sh',
    lines: [
      'export ANTHROPIC_BASE_URL=$WEIR_URL',
      'export ANTHROPIC_AUTH_TOKEN=$WEIR_KEY',
      'claude --model anthropic/claude-sonnet-4.6',
    ],
  },
  {
    kind: 'program',
    title: 'Codex',
    about: 'In `~/.codex/config.toml`; Codex reads the key from `WEIR_KEY`.',
    language: 'toml',
    lines: [
      'model = "openai/gpt-5.2"',
      'model_provider = "weir"',
      '[model_providers.weir]',
      'name = "Weir"',
      'base_url = "http://127.0.0.1:8484/v1"',
      'env_key = "WEIR_KEY"',
      'wire_api = "responses"',
    ],
  },
  {
    kind: 'program',
    title: 'opencode',
    about: 'In `~/.config/opencode/opencode.json`.',
    language: 'json',
    lines: [
      '{',
      '  "provider": {',
      '    "weir": {',
      '      "npm": "@ai-sdk/openai-compatible",',
      '      "options": { "baseURL": "http://127.0.0.1:8484/v1", "apiKey": "{env:WEIR_KEY}" },',
      '      "models": { "openai/gpt-5.2": {} }',
      '    }',
      '  }',
      '}',
    ],
  },
  {
    kind: 'program',
    title: 'Continue',
    about: 'In `~/.continue/config.yaml`.',
    language: 'yaml',
    lines: [
      'models:',
      '  - name: weir',
      '    provider: openrouter',
      '    model: openai/gpt-5.2',
      '    apiBase: http://127.0.0.1:8484/v1',
      '    apiKey: sk-weir-…',
      '    roles: [chat]',
    ],
  },
  {
    kind: 'program',
    title: 'Cursor',
    about: 'In Settings, Models, with an address that Cursor’s own servers can reach.',
    language: 'text',
    lines: [
      'OpenAI API Key:            sk-weir-…',
      'Override OpenAI Base URL:  https://your-gateway.example/v1/cursor',
      'Add model:                 weir/openai/gpt-5.2',
    ],
  },
  {
    kind: 'program',
    title: 'Cline',
    about: 'In the settings of the extension.',
    language: 'text',
    lines: [
      'API Provider:  OpenAI Compatible',
      'Base URL:      http://127.0.0.1:8484/v1',
      'API Key:       sk-weir-…',
      'Model ID:      openai/gpt-5.2',
    ],
  },
  {
    kind: 'program',
    title: 'aider',
    about: 'The first `openai/` is aider’s own word for an OpenAI-compatible API; what follows is the model.',
    language: 'sh',
    lines: [
      'export OPENAI_API_BASE=$WEIR_URL/v1',
      'export OPENAI_API_KEY=$WEIR_KEY',
      'aider --model openai/openai/gpt-5.2',
    ],
  },
  {
    kind: 'program',
    title: 'Open WebUI',
    about: 'As environment of the container, which must reach the gateway by an address of its own.',
    language: 'sh',
    lines: ['OPENAI_API_BASE_URL=http://your-gateway.example:8484/v1', 'OPENAI_API_KEY=sk-weir-…'],
  },
  {
    kind: 'program',
    title: 'n8n',
    about: 'In a credential of the type *OpenAI*, which the node *OpenAI Chat Model* then uses.',
    language: 'text',
    lines: ['API Key:   sk-weir-…', 'Base URL:  http://your-gateway.example:8484/v1'],
  },
]

export interface SettledTool {
  readonly kind: 'library' | 'program'
  readonly title: string
  readonly about: string
  /** Of the code block. */
  readonly language: string
  readonly lines: readonly string[]
}
