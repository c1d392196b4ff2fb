import type { BedrockVendor } from '#providers/spec.ts'
import { bedrockEmbeddings } from './embeddings.ts'
import { bedrockImages } from './images.ts'

/**
 * The base URL names the operator's region: `https://bedrock-runtime.{region}.amazonaws.com`. The credential is a
 * Bedrock API key, or `ACCESS_KEY:SECRET` or `ACCESS_KEY:SECRET:SESSION` for signed requests. Signatures use the region
 * in the host's name. Behind a proxy, whose name has none, the credential ends with `,region=eu-central-1`.
 */
export const amazonBedrock: BedrockVendor = {
  protocol: 'bedrock',
  slug: 'amazon-bedrock',
  name: 'Amazon Bedrock',
  baseUrl: null,
  authentication: { kind: 'sigv4', service: 'bedrock' },
  media: { embedding: bedrockEmbeddings, image: bedrockImages },
}
