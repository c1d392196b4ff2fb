import type { SdkType } from './typed-body.ts'

export function openAiType(name: string): SdkType {
  return { sdk: 'openai', imported: "import type OpenAI from 'openai'", name: `OpenAI.${name}` }
}

export function togetherType(name: string): SdkType {
  return { sdk: 'together-ai', imported: "import type Together from 'together-ai'", name: `Together.${name}` }
}

export function runwayType(name: string): SdkType {
  return { sdk: '@runwayml/sdk', imported: "import type RunwayML from '@runwayml/sdk'", name: `RunwayML.${name}` }
}

export function lumaType(name: string): SdkType {
  return { sdk: 'lumaai', imported: "import type { LumaAI } from 'lumaai'", name: `LumaAI.Generations.${name}` }
}

/** fal has a type for each of its endpoints. */
export function falType(endpoint: string): SdkType {
  const imported = "import type { EndpointTypeMap } from '@fal-ai/client/endpoints'"
  return { sdk: '@fal-ai/client', imported, name: `EndpointTypeMap['${endpoint}']['input']` }
}

/** Wire types of SDKs that Speakeasy generates. */
export function mistralType(name: string): SdkType {
  const imported = `import type { ${name} } from '@mistralai/mistralai/models/components'`
  return { sdk: '@mistralai/mistralai', imported, name }
}

/** The body of `generateContent`: the SDK has no name for it, and sends these two as they are given. */
export const geminiType: SdkType = {
  sdk: '@google/genai',
  imported: "import type { Content, GenerateContentConfig } from '@google/genai'",
  name: '{ contents: Content[]; generationConfig: GenerateContentConfig }',
}
