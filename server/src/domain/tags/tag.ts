import { malformed } from '#errors/malformed.ts'

/** What a request is for, in the words of its sender, such as `team=search`. */
export interface Tag {
  readonly name: string
  readonly value: string
}

/** The maximum number of tags of a request. */
export const tagsMax = 8

const form = /^[A-Za-z][\w.-]{0,31}=[\w.:@+~/-]{1,64}$/
const rule =
  'Write tags as name=value. A name has up to 32 letters, digits or characters of _ . - and begins with a letter; a value has up to 64 letters, digits or characters of _ . : @ + ~ / -.'

/** Reads `team=search, feature=rewrite`. A name occurs once. */
export function parseTags(header: string): readonly Tag[] {
  const tags = header.split(',').map(parseTag)
  if (tags.length > tagsMax) throw malformed(`X-Weir-Tags can have at most ${tagsMax} tags.`)
  const names = new Set(tags.map(({ name }) => name))
  if (names.size < tags.length) throw malformed('X-Weir-Tags has a name more than once.')
  return tags
}

function parseTag(text: string): Tag {
  const tag = tagIn(text.trim())
  if (tag === null) throw malformed(`X-Weir-Tags has an invalid tag. ${rule}`)
  return tag
}

/** Null if the text is not a tag. */
export function tagIn(text: string): Tag | null {
  if (!form.test(text)) return null
  const end = text.indexOf('=')
  return { name: text.slice(0, end), value: text.slice(end + 1) }
}

export function tagText({ name, value }: Tag): string {
  return `${name}=${value}`
}
