/** One coherent, deterministic demo world, made from a seed and the day of the first start. */
export { loadDemoWorld, type LoadOptions } from './load'
export type { DemoWorld } from './types'
