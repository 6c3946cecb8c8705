/** Secrets at rest: encrypted by a key of the configuration, or of a file beside the data. */
export { KeptSecrets } from './kept'
export { SecretKeys } from './keys'
