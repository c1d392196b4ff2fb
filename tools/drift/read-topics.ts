import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseCatalogueFile } from '../../server/src/control/catalogue/parse-catalogue-file.ts'
import { nameOf } from '../../server/src/domain/catalogue/model-id.ts'
import type { JsonObject } from '../../server/src/lib/json.ts'
import type { NoteUnknown } from '../../server/src/providers/note-unknown.ts'
import { noteMessage } from '../../server/src/providers/protocols/anthropic/known-words.ts'
import { noteFrame } from '../../server/src/providers/protocols/gemini/known-words.ts'
import { noteChunk } from '../../server/src/providers/protocols/openai/answer/known-words.ts'
import { noteResponse, noteResponseEvent } from '../../server/src/providers/protocols/responses/known-words.ts'
import { openai } from '../../server/src/providers/vendors/openai/index.ts'
import { repositoryRoot } from '../lib/repository-root.ts'
import type { Topic } from './find-drift.ts'
import { readMembers, readTypes, readUnion } from './read-declarations.ts'

/** The words that the installed SDKs use, topic by topic, and those that our tables know. */
export function readTopics(folder: string): Topic[] {
  const shared = declarations(folder, 'openai/resources/shared.d.ts')
  const completions = declarations(folder, 'openai/resources/completions.d.ts')
  const responses = declarations(folder, 'openai/resources/responses/responses.d.ts')
  const anthropic = declarations(folder, '@anthropic-ai/sdk/resources/messages/messages.d.ts')
  const google = declarations(folder, '@google/genai/dist/genai.d.ts')

  return [
    models('openai', [...readUnion(shared, 'ChatModel'), ...readUnion(shared, 'ResponsesModel')]),
    models('anthropic', readUnion(anthropic, 'Model')),
    models('google-ai-studio', readUnion(google, 'Model_2')),
    usage('chat usage', readMembers(completions, 'CompletionUsage'), (usage, note) =>
      noteChunk({ usage }, openai.openai, note),
    ),
    usage('responses usage', readMembers(responses, 'ResponseUsage'), (usage, note) => noteResponse({ usage }, note)),
    usage('anthropic usage', readMembers(anthropic, 'Usage'), (usage, note) =>
      noteMessage({ type: 'message_delta', usage }, note),
    ),
    usage('gemini usage', readMembers(google, 'GenerateContentResponseUsageMetadata'), (usageMetadata, note) =>
      noteFrame({ usageMetadata }, note),
    ),
    {
      name: 'responses events',
      words: readTypes(responses, 'Event').filter((type) => type === 'error' || type.startsWith('response.')),
      isKnown: (type) => isSilent((note) => noteResponseEvent({ type }, note)),
    },
  ]
}

function declarations(folder: string, path: string): string {
  return readFileSync(join(folder, 'node_modules', path), 'utf8')
}

/** A model is known if the starter catalogue has a price for it at its own provider. */
function models(provider: string, words: string[]): Topic {
  const text = readFileSync(join(repositoryRoot, 'server/catalogue/starter.json'), 'utf8')
  const parsed = parseCatalogueFile(JSON.parse(text))
  const sold = (parsed.accepted ? parsed.rows : []).filter(({ prices }) =>
    prices.some((price) => price.provider === provider && price.variant === ''),
  )
  const names = new Set(
    sold.flatMap(({ offers, aliases }) => [
      ...offers.flatMap((offer) => (offer.provider === provider ? [offer.upstreamModel] : [])),
      ...aliases.map(nameOf),
    ]),
  )
  return { name: `models of ${provider}`, words: [...new Set(words)], isKnown: (word) => names.has(word) }
}

function usage(name: string, words: string[], notes: (usage: JsonObject, note: NoteUnknown) => void): Topic {
  const isKnown = (word: string): boolean => isSilent((note) => notes(nested(word.split('.')), note))
  return { name, words, isKnown }
}

function nested([first = '', ...rest]: readonly string[]): JsonObject {
  return { [first]: rest.length === 0 ? 1 : nested(rest) }
}

function isSilent(notes: (note: NoteUnknown) => void): boolean {
  let isKnown = true
  notes(() => {
    isKnown = false
  })
  return isKnown
}
