import { packVocabulary } from './pack-vocabulary.ts'

/** The packed vocabulary of `o200k_base`. The build has it as a file, with its own version of this module. */
export async function readVocabulary(): Promise<Uint8Array<ArrayBuffer>> {
  const { default: tokens } = await import('gpt-tokenizer/bpeRanks/o200k_base')
  return packVocabulary(tokens)
}
