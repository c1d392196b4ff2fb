/**
 * The name that identifies the model. In a regional profile it follows the region. An operator's own profile or
 * deployment hides it, so our model id is used instead. Undefined if neither identifies the model.
 */
export function bareModel(upstreamModel: string, model: string | undefined): string | undefined {
  return hiddenModel.test(upstreamModel) ? model : upstreamModel
}

const hiddenModel =
  /^arn:[^/]*:(?:application-inference-profile|provisioned-model|custom-model|custom-model-deployment|imported-model|prompt-router)\//
