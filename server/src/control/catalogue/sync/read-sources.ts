import type { CatalogueRow } from '#domain/catalogue/catalogue-row.ts'
import { malformed } from '#errors/malformed.ts'
import { parseExactJson } from '#lib/exact-json.ts'
import { isJsonObject, type JsonValue } from '#lib/json.ts'
import { readCatalogueText } from '../read-catalogue-text.ts'
import type { Listing, ReadListing } from './listing.ts'
import { readLitellm } from './read-litellm.ts'
import { readModelsDev } from './read-models-dev.ts'
import { readOpenRouter } from './read-openrouter.ts'

/** Loads the text of a source. */
export interface SourceTexts {
  fetch(url: string): Promise<string>
  readFile(path: string): string | Promise<string>
}

/** The content of the sources: listings in public formats, or the rows of one catalogue file. */
export type SourceContent =
  | { readonly kind: 'listings'; readonly listings: readonly Listing[] }
  | { readonly kind: 'catalogue'; readonly rows: readonly CatalogueRow[] }

/** The public sources that are known by name. */
const publicSources: ReadonlyMap<string, { readonly url: string; readonly read: ReadListing }> = new Map([
  ['models.dev', { url: 'https://models.dev/api.json', read: readModelsDev }],
  [
    'litellm',
    {
      url: 'https://raw.githubusercontent.com/BerriAI/litellm/main/model_prices_and_context_window.json',
      read: readLitellm,
    },
  ],
  ['openrouter', { url: 'https://openrouter.ai/api/v1/models', read: readOpenRouter }],
])

/** Reads every source by its name, URL or file. A catalogue file must be the only source. */
export async function readSources(texts: SourceTexts, names: readonly string[]): Promise<SourceContent> {
  const contents = await Promise.all(names.map((name) => readSource(texts, name)))
  const [first] = contents
  if (contents.length === 1 && first?.kind === 'catalogue') return first
  const listings = contents.map((content, at) => {
    if (content.kind === 'listing') return content.listing
    throw malformed(`${names[at]} is a catalogue file and cannot be compared with other sources.`)
  })
  return { kind: 'listings', listings }
}

type OneSource =
  | { readonly kind: 'listing'; readonly listing: Listing }
  | { readonly kind: 'catalogue'; readonly rows: readonly CatalogueRow[] }

async function readSource(texts: SourceTexts, name: string): Promise<OneSource> {
  const known = publicSources.get(name)
  const isUrl = /^https?:\/\//.test(name)
  const text = known !== undefined || isUrl ? await texts.fetch(known?.url ?? name) : await texts.readFile(name)
  const parsed = parseSource(text, name)
  const read = known?.read ?? readerFor(parsed)
  if (read !== undefined) {
    const offers = read(parsed)
    if (offers.length === 0) throw malformed(`${name} lists no models in a known format.`)
    return { kind: 'listing', listing: { source: name, offers } }
  }
  return { kind: 'catalogue', rows: readCatalogueText(text).rows }
}

function parseSource(text: string, name: string): JsonValue {
  try {
    return parseExactJson(text)
  } catch {
    throw malformed(`${name} is not valid JSON.`)
  }
}

/** Detects the public format by its content. Undefined means a catalogue file. */
function readerFor(parsed: JsonValue): ReadListing | undefined {
  if (!isJsonObject(parsed)) return undefined
  if (Array.isArray(parsed['data'])) return readOpenRouter
  if (Array.isArray(parsed['models'])) return undefined
  const entries = Object.values(parsed).filter(isJsonObject)
  if (entries.some((entry) => typeof entry['litellm_provider'] === 'string')) return readLitellm
  return entries.some((entry) => isJsonObject(entry['models'])) ? readModelsDev : undefined
}
