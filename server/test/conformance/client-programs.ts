import { join } from 'node:path'

/** Libraries, which are small. */
export const clientsFolder = join(import.meta.dirname, 'clients')
/** Whole programs of hundreds of megabytes. */
export const commandLineFolder = join(import.meta.dirname, 'command-line')

/** A client program that prints a line of JSON per case. */
export interface ClientProgram {
  readonly name: string
  readonly folder: string
  readonly file: string
}

export const clientPrograms: readonly ClientProgram[] = [
  { name: 'five lines', folder: clientsFolder, file: 'lines.mjs' },
  { name: 'openai 7.55, chat', folder: clientsFolder, file: 'openai-chat.mjs' },
  { name: 'openai 7.55, responses', folder: clientsFolder, file: 'openai-responses.mjs' },
  { name: 'openai 7.55, stored responses', folder: clientsFolder, file: 'openai-stored-responses.mjs' },
  { name: 'openai 7.55, audio', folder: clientsFolder, file: 'openai-audio.mjs' },
  { name: 'openai 7.55, images', folder: clientsFolder, file: 'openai-images.mjs' },
  { name: 'openai 7.55, completions', folder: clientsFolder, file: 'openai-completions.mjs' },
  { name: 'openai 7.55, moderations', folder: clientsFolder, file: 'openai-moderations.mjs' },
  { name: 'openai 7.55 and @openai/agents 0.20, realtime', folder: clientsFolder, file: 'openai-realtime.mjs' },
  { name: '@openai/agents 0.20', folder: clientsFolder, file: 'openai-agents.mjs' },
  { name: 'openai 7.55, embeddings', folder: clientsFolder, file: 'openai-embeddings.mjs' },
  { name: 'openai 7.55, batches', folder: clientsFolder, file: 'openai-batches.mjs' },
  { name: 'cohere-ai 8.1, rerank', folder: clientsFolder, file: 'cohere-rerank.mjs' },
  { name: '@anthropic-ai/sdk 1.10', folder: clientsFolder, file: 'anthropic.mjs' },
  { name: '@anthropic-ai/sdk 1.10, batches', folder: clientsFolder, file: 'anthropic-batches.mjs' },
  { name: 'openai 7.55 and @anthropic-ai/sdk 1.10, lost answers', folder: clientsFolder, file: 'lost-answers.mjs' },
  { name: 'ai 7, openai-compatible 3', folder: clientsFolder, file: 'ai-openai-compatible.mjs' },
  { name: 'ai 7, openai 4, chat', folder: clientsFolder, file: 'ai-openai-chat.mjs' },
  { name: 'ai 7, openai 4, responses', folder: clientsFolder, file: 'ai-openai-responses.mjs' },
  { name: 'ai 7, openai 4, defaults', folder: clientsFolder, file: 'ai-openai-defaults.mjs' },
  { name: 'ai 7, anthropic 4', folder: clientsFolder, file: 'ai-anthropic.mjs' },
  { name: 'ai 7, openrouter 3.1', folder: clientsFolder, file: 'ai-openrouter.mjs' },
  { name: 'ai 7, audio', folder: clientsFolder, file: 'ai-audio.mjs' },
  { name: 'ai 7, images', folder: clientsFolder, file: 'ai-images.mjs' },
  { name: 'ai 7, embeddings', folder: clientsFolder, file: 'ai-embeddings.mjs' },
  { name: '@openrouter/sdk 1.3', folder: clientsFolder, file: 'openrouter.mjs' },
  { name: '@langchain/openai 1.6', folder: clientsFolder, file: 'langchain-openai.mjs' },
  { name: '@langchain/openai 1.6, embeddings', folder: clientsFolder, file: 'langchain-embeddings.mjs' },
  { name: '@langchain/anthropic 1.5', folder: clientsFolder, file: 'langchain-anthropic.mjs' },
]

/** Only run with `--all`. */
export const commandLinePrograms: readonly ClientProgram[] = [
  { name: 'codex 0.169', folder: commandLineFolder, file: 'codex.mjs' },
  { name: 'claude-code 2.1', folder: commandLineFolder, file: 'claude-code.mjs' },
  { name: 'opencode 1.18', folder: commandLineFolder, file: 'opencode.mjs' },
  { name: 'continue, autocompletion', folder: commandLineFolder, file: 'continue-autocomplete.mjs' },
  { name: 'continue 1.5', folder: commandLineFolder, file: 'continue.mjs' },
]
