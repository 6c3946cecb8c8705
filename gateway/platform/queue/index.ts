export { Queue } from './queue'
export type { Line, Message, Outcome, Work } from './types'
