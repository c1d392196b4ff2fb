/**
 * Tools that the conformance suite does not run, for docs/tools.md. Their settings follow the tools' own documentation.
 */
export const describedTools: readonly DescribedTool[] = [
  {
    title: 'OpenAI SDK, Python',
    about: '`pip install openai`',
    language: 'python',
    lines: [
      'import os',
      'from openai import OpenAI',
      '',
      'weir = OpenAI(base_url=os.environ["WEIR_URL"] + "/v1", api_key=os.environ["WEIR_KEY"])',
      'messages = [{"role": "user", "content": "Hello there"}]',
      'completion = weir.chat.completions.create(model="test/echo", messages=messages)',
      'print(completion.choices[0].message.content)',
    ],
  },
  {
    title: 'Anthropic SDK, Python',
    about: '`pip install anthropic`',
    language: 'python',
    lines: [
      'import os',
      'from anthropic import Anthropic',
      '',
      'weir = Anthropic(base_url=os.environ["WEIR_URL"], api_key=os.environ["WEIR_KEY"])',
      'messages = [{"role": "user", "content": "Hello there"}]',
      'message = weir.messages.create(model="test/echo", max_tokens=100, messages=messages)',
      'print(message.content[0].text)',
    ],
  },
  {
    title: 'Cursor',
    about: 'In Settings, Models, with an address that Cursor’s own servers can reach.',
    language: 'text',
    lines: [
      'OpenAI API Key:            sk-weir-…',
      'Override OpenAI Base URL:  https://your-gateway.example/v1/cursor',
      'Add model:                 weir/test/echo',
    ],
  },
  {
    title: 'Cline',
    about: 'In the settings of the extension.',
    language: 'text',
    lines: [
      'API Provider:  OpenAI Compatible',
      'Base URL:      http://127.0.0.1:8484/v1',
      'API Key:       sk-weir-…',
      'Model ID:      test/echo',
    ],
  },
  {
    title: 'aider',
    about: 'The first `openai/` is aider’s own word for an OpenAI-compatible API; what follows is the model.',
    language: 'sh',
    lines: ['export OPENAI_API_BASE=$WEIR_URL/v1', 'export OPENAI_API_KEY=$WEIR_KEY', 'aider --model openai/test/echo'],
  },
  {
    title: 'Open WebUI',
    about: 'As environment of the container, which must reach the gateway by an address of its own.',
    language: 'sh',
    lines: ['OPENAI_API_BASE_URL=http://your-gateway.example:8484/v1', 'OPENAI_API_KEY=sk-weir-…'],
  },
  {
    title: 'n8n',
    about: 'In a credential of the type *OpenAI*, which the node *OpenAI Chat Model* then uses.',
    language: 'text',
    lines: ['API Key:   sk-weir-…', 'Base URL:  http://your-gateway.example:8484/v1'],
  },
]

export interface DescribedTool {
  readonly title: string
  readonly about: string
  /** Language of the code block. */
  readonly language: string
  readonly lines: readonly string[]
}
