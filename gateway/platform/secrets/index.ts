/** Secrets at rest: encrypted by a key of the configuration, or of a file beside the data. */
export { SecretKeys, type Sealed } from './keys'
