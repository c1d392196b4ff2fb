/**
 * The name that tells which model answers. A profile of an area has it behind the area; an operator's own profile or
 * deployment hides it, so that our id tells instead. Undefined where nothing does.
 */
export function bareModel(upstreamModel: string, model: string | undefined): string | undefined {
  return hiddenModel.test(upstreamModel) ? model : upstreamModel
}

const hiddenModel =
  /^arn:[^/]*:(?:application-inference-profile|provisioned-model|custom-model|custom-model-deployment|imported-model|prompt-router)\//
