/**
 * The name that identifies the model. A regional profile has it after the region. An operator's own profile or
 * deployment hides it, so our model id is used instead. Undefined if neither tells.
 */
export function bareModel(upstreamModel: string, model: string | undefined): string | undefined {
  return hiddenModel.test(upstreamModel) ? model : upstreamModel
}

const hiddenModel =
  /^arn:[^/]*:(?:application-inference-profile|provisioned-model|custom-model|custom-model-deployment|imported-model|prompt-router)\//
