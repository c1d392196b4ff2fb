import { FilterReader, type ScimFilter, withoutSchema } from './scim-filter.ts'
import { ScimRefusal } from './scim-refusal.ts'
import { tokenizeFilter } from './tokenize-filter.ts'

/** The target of a PATCH operation: `name.givenName`, `emails`, `emails[type eq "work"].value`. In lower case. */
export interface PatchPath {
  readonly attribute: string
  /** Which values of a multi-valued attribute. Null for all. */
  readonly filter: ScimFilter | null
  readonly subAttribute: string | null
}

export function parsePatchPath(text: string): PatchPath {
  try {
    return readPath(text)
  } catch (error) {
    if (error instanceof ScimRefusal) throw new ScimRefusal('invalidPath', error.message)
    throw error
  }
}

function readPath(text: string): PatchPath {
  const reader = new FilterReader(tokenizeFilter(text))
  const { attribute, subAttribute } = splitName(reader.readAttribute())
  if (reader.isEnd()) return { attribute, filter: null, subAttribute }
  reader.expect('[')
  const filter = reader.readOr(0)
  reader.expect(']')
  const after = reader.take('.') ? withoutSchema(reader.readAttribute()) : null
  reader.assertEnd()
  return { attribute, filter, subAttribute: after }
}

/** The version in the name of a schema has a dot too, so a name with a schema is not split. */
function splitName(name: string): { attribute: string; subAttribute: string | null } {
  const dot = name.startsWith('urn:') ? -1 : name.indexOf('.')
  if (dot === -1) return { attribute: name, subAttribute: null }
  return { attribute: name.slice(0, dot), subAttribute: name.slice(dot + 1) }
}
