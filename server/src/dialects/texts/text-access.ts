import { assert } from '#lib/assert.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { changeContentOf, changeText, type TextChange } from './change-content.ts'
import { changeMember } from './change-member.ts'

/** How a body's texts are read and replaced, for filters and moderation. */
export interface TextAccess {
  /** What the prompt says in words, in the order of the body. */
  texts(body: JsonObject): readonly string[]
  /**
   * The body with these in place of its own texts, as many and in the same order; the same object where none differs.
   */
  withTexts(body: JsonObject, texts: readonly string[]): JsonObject
}

/** Passes each text of a body through a change; whatever holds nothing that changed is given back as it is. */
type BodyWalk = (body: JsonObject, change: TextChange) => JsonObject

// A predicted answer is the client's text too, and travels from every dialect to upstreams that know of it.
const changePrediction: BodyWalk = (body, change) =>
  changeMember(body, 'prediction', (prediction) => changeContentOf(prediction, change))

/** What else hosts of images are told in words, on the images endpoints and in conversations. */
const imageTexts = ['negative_prompt', 'search_prompt', 'select_prompt']

const changeOfImages: BodyWalk = (body, change) =>
  changeMember(changeTexts(body, imageTexts, change), 'image_config', (config) =>
    isJsonObject(config) ? changeTexts(config, ['prompt', ...imageTexts], change) : config,
  )

function changeTexts(parent: JsonObject, names: readonly string[], change: TextChange): JsonObject {
  return names.reduce((changed, name) => changeMember(changed, name, (text) => changeText(text, change)), parent)
}

/** Reading and replacing by the same walk, so that they cannot disagree about what a text is. */
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
