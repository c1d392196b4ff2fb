import { assert } from '#lib/assert.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { changeContentOf, changeText, type TextChange } from './change-content.ts'
import { changeMember } from './change-member.ts'

/** Reads and replaces the texts of a body, for filters and moderation. */
export interface TextAccess {
  /** The texts of the prompt, in the order of the body. */
  texts(body: JsonObject): readonly string[]
  /** The body with its texts replaced, as many and in the same order; the same object if none differs. */
  withTexts(body: JsonObject, texts: readonly string[]): JsonObject
}

/** Passes each text of a body through a change. Values without a changed text are returned unchanged. */
type BodyWalk = (body: JsonObject, change: TextChange) => JsonObject

// A predicted output is the client's text too, and every dialect forwards it to upstreams that support it.
const changePrediction: BodyWalk = (body, change) =>
  changeMember(body, 'prediction', (prediction) => changeContentOf(prediction, change))

/** Other text fields for image providers, on the images endpoints and in conversations. */
const imageTexts = ['negative_prompt', 'search_prompt', 'select_prompt']

const changeOfImages: BodyWalk = (body, change) =>
  changeMember(changeTexts(body, imageTexts, change), 'image_config', (config) =>
    isJsonObject(config) ? changeTexts(config, ['prompt', ...imageTexts], change) : config,
  )

function changeTexts(parent: JsonObject, names: readonly string[], change: TextChange): JsonObject {
  return names.reduce((changed, name) => changeMember(changed, name, (text) => changeText(text, change)), parent)
}

/** Reads and replaces texts with the same walk, so that both always find the same texts. */
export function textAccess(walkPrompt: BodyWalk): TextAccess {
  const walk: BodyWalk = (body, change) =>
    [changePrediction, changeOfImages].reduce((changed, also) => also(changed, change), walkPrompt(body, change))
  return {
    texts(body) {
      const found: string[] = []
      walk(body, (text) => {
        found.push(text)
        return text
      })
      return found
    },
    withTexts(body, texts) {
      let taken = 0
      const changed = walk(body, () => {
        const text = texts[taken++]
        assert(text !== undefined, 'there is a text for each place')
        return text
      })
      assert(taken === texts.length, 'there is a place for each text')
      return changed
    },
  }
}
