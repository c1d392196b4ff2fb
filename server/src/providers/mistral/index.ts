import { openAiSpeech } from '../codecs/openai/speech.ts'
import { mistralTranscription } from './transcription.ts'
import { openAiEmbeddings } from '../codecs/openai/embeddings.ts'
import { editMessages } from '../protocols/openai/edit-messages.ts'
import { withoutReasoning } from '../protocols/openai/message-edits.ts'
import { openAiHost } from '../protocols/openai/openai-host.ts'
import { toolChoiceAny } from '../protocols/openai/tool-choice-any.ts'
import { shortenToolCallIds } from './shorten-tool-call-ids.ts'

/** Refuses every field that it does not know with 422, and sends usage without being asked. */
export const mistral = openAiHost({
  slug: 'mistral',
  name: 'Mistral AI',
  baseUrl: 'https://api.mistral.ai/v1',
  quirks: {
    streamUsage: 'always',
    refuses: ['logit_bias', 'logprobs', 'top_logprobs', 'user'],
    renames: { max_completion_tokens: 'max_tokens', seed: 'random_seed' },
    finishBody: (body) => {
      toolChoiceAny(body)
      editMessages(body, withoutReasoning)
      shortenToolCallIds(body)
    },
    finishReasons: { model_length: 'length' },
  },
  media: {
    embedding: openAiEmbeddings({ inputsMax: 32, dimensionsField: 'output_dimension' }),
    speech: openAiSpeech,
    transcription: mistralTranscription,
  },
})
